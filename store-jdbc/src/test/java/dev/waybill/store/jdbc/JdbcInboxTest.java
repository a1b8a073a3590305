package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Receipt;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OrderKey;
import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What an inbox on JDBC has to do beyond the contract: other people's connections, isolation, refused commits. */
@ParameterizedClass
@MethodSource("databases")
class JdbcInboxTest {
    private static final String CONSUMER = "billing";
    private static final OrderKey LANE = new OrderKey(CONSUMER, "o-1");

    private final DataSource database;
    private final StoreRig rig;
    private final JdbcInbox inbox;

    JdbcInboxTest(DataSource database) {
        this.database = database;
        rig = new StoreRig(database, JdbcStoreConfig.defaults());
        inbox = new JdbcInbox(database, rig.store);
        for (String table : List.of("processed", "outbox", "dead_letter", "parked_key")) {
            Sql.execute(database, "DELETE FROM waybill_" + table);
        }
        Sql.execute(database, "CREATE TABLE IF NOT EXISTS effect (id int PRIMARY KEY)");
        Sql.execute(database, "DELETE FROM effect");
    }

    static Stream<DataSource> databases() {
        return Stream.of(
                EmbeddedDatabases.postgres18(),
                EmbeddedDatabases.postgres16(),
                EmbeddedDatabases.mariadb(),
                H2Databases.inMemory());
    }

    @Test
    void withoutATransactionNothingIsWritten() throws SQLException {
        try (Connection autocommit = database.getConnection()) {
            assertThatThrownBy(() -> inbox.claim(autocommit, key(1), Origin.SOURCE))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("JdbcInbox.inTransaction");
            assertThatThrownBy(() -> inbox.claimAside(autocommit, key(1))).isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> inbox.lease(autocommit, key(1), Origin.SOURCE, Duration.ofSeconds(1)))
                    .isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> inbox.isAside(autocommit, LANE)).isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> inbox.setAside(autocommit, event(), 0, Setback.dead(1, "no")))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(rig.count("processed") + rig.count("outbox") + rig.count("dead_letter"))
                .isZero();
    }

    @Test
    void aConnectionComesBackAsItCame() throws Exception {
        for (int isolation : List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ)) {
            for (boolean autocommit : List.of(true, false)) {
                OneConnection pool = OneConnection.of(database);
                pool.connection().setTransactionIsolation(isolation);
                pool.connection().setAutoCommit(autocommit);
                JdbcInbox pooled = new JdbcInbox(pool, rig.store);
                UUID id = UUID.randomUUID();

                int within = pooled.inTransaction(connection -> {
                    pooled.claim(connection, new InboxKey(CONSUMER, id, 0), Origin.SOURCE);
                    return connection.getTransactionIsolation();
                });
                assertThatThrownBy(() -> pooled.inTransaction(connection -> {
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");

                assertThat(within).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                assertThat(pool.connection().getTransactionIsolation()).isEqualTo(isolation);
                assertThat(pool.connection().getAutoCommit()).isEqualTo(autocommit);
                pool.connection().close();
            }
        }
        assertThat(rig.count("processed")).isEqualTo(4);
    }

    @Test
    void aHandlerThatSwallowsAnErrorOrEndsItsTransactionLosesNothing() {
        Sql.execute(database, "INSERT INTO effect VALUES (7)");
        InboxConsumer<Connection> consumer = InboxConsumer.named(CONSUMER, inbox)
                .on("Swallowing", (connection, delivery) -> swallow(connection, "INSERT INTO effect VALUES (7)"))
                .on("Ending", (connection, delivery) -> {
                    connection.rollback();
                    Sql.execute(connection, "INSERT INTO effect VALUES (8)");
                })
                .build();
        Delivery swallowing = delivery("Swallowing");
        Delivery ending = delivery("Ending");

        Receipt receipt = consumer.accept(swallowing);
        assertThat(consumer.accept(ending).kind()).isEqualTo(Receipt.Kind.ASIDE);

        // PostgreSQL dooms the transaction, and its driver commits it without a word; the others go on.
        assertThat(receipt.isTaken()).isTrue();
        InboxKey swallowed = InboxKey.of(CONSUMER, swallowing);
        InboxKey ended = InboxKey.of(CONSUMER, ending);
        assertThat(inbox.seen(List.of(swallowed, ended))).containsExactlyInAnyOrder(swallowed, ended);
        assertThat(rig.count("outbox")).isEqualTo(receipt.kind() == Receipt.Kind.ASIDE ? 2 : 1);
        assertThat(Sql.number(database, "SELECT count(*) FROM effect WHERE id = 8"))
                .isZero();
    }

    private static void swallow(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (java.sql.SQLIntegrityConstraintViolationException | org.postgresql.util.PSQLException e) {
            // As handlers do that take a duplicate for a success.
        }
    }

    private static Delivery delivery(String type) {
        return new Delivery(Event.to("orders").key(type).type(type).build(), 1, 1, 0, 0);
    }

    @Test
    void whatTheWorkThrowsComesOutUnchangedAndNothingStays() {
        List<Throwable> failures =
                List.of(new SQLException("mine", "08006"), new AssertionError("no"), new InterruptedException());
        for (Throwable failure : failures) {
            assertThatThrownBy(() -> inbox.inTransaction(connection -> {
                        inbox.claim(connection, key(1), Origin.SOURCE);
                        Sql.execute(connection, "INSERT INTO effect VALUES (1)");
                        throw sneaky(failure);
                    }))
                    .isSameAs(failure);
        }
        assertThat(rig.count("processed")).isZero();
        assertThat(Sql.number(database, "SELECT count(*) FROM effect")).isZero();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void aDatabaseThatCannotBeReachedIsAFailureOfTheStore() {
        JdbcDataSource missing = new JdbcDataSource();
        missing.setURL("jdbc:h2:mem:missing;IFEXISTS=TRUE");
        JdbcInbox nowhere = new JdbcInbox(missing, rig.store);

        assertThatThrownBy(() -> nowhere.inTransaction(connection -> true)).isInstanceOf(StoreException.class);
    }

    @Test
    void aClaimThatWaitedSeesWhatTheOtherOneCommittedWhateverTheIsolationOfThePool() throws Exception {
        for (int isolation : List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ)) {
            OneConnection pool = OneConnection.of(database);
            pool.connection().setTransactionIsolation(isolation);
            JdbcInbox other = new JdbcInbox(pool, rig.store);
            InboxKey key = new InboxKey(CONSUMER, UUID.randomUUID(), 0);
            CountDownLatch looked = new CountDownLatch(1);

            CompletableFuture<Claim> second = inbox.inTransaction(connection -> {
                inbox.claim(connection, key, Origin.SOURCE);
                CompletableFuture<Claim> waiting =
                        CompletableFuture.supplyAsync(() -> Sql.unchecked(() -> other.inTransaction(theirs -> {
                            other.isAside(theirs, LANE);
                            looked.countDown();
                            return other.claim(theirs, key, Origin.SOURCE);
                        })));
                assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
                Awaitility.await().during(Duration.ofMillis(100)).until(() -> !waiting.isDone());
                return waiting;
            });

            assertThat(second.get(10, TimeUnit.SECONDS).status()).isEqualTo(Claim.Status.DONE);
            pool.connection().close();
        }
    }

    @Test
    void aTransactionThatSeesAnOlderStateOfTheDatabaseCannotClaimWhatTookEffectSince() throws Exception {
        try (Connection old = database.getConnection()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            assertThat(inbox.isAside(old, LANE)).isFalse();
            Sql.execute(old, "SELECT * FROM waybill_processed");
            inbox.inTransaction(connection -> inbox.claim(connection, key(1), Origin.SOURCE));

            Object answer;
            try {
                answer = inbox.claim(old, key(1), Origin.SOURCE);
            } catch (StoreException e) {
                answer = e;
            }

            assertThat(answer)
                    .isNotEqualTo(Claim.taken())
                    .matches(one -> one.equals(Claim.done()) || one instanceof StoreException);
            old.rollback();
        }
    }

    @Test
    void ofManyWhoClaimAnEventAtOnceOneHasIt() {
        for (int round = 0; round < 5; round++) {
            InboxKey key = key(round);
            List<Claim> claims =
                    parallel(8, i -> inbox.inTransaction(connection -> inbox.claim(connection, key, Origin.SOURCE)));

            assertThat(claims).filteredOn(Claim::isTaken).hasSize(1);
            assertThat(claims)
                    .filteredOn(claim -> claim.status() == Claim.Status.DONE)
                    .hasSize(7);
        }
    }

    @Test
    void ofManyWhoFindALeaseThatEndedOneTakesItOver() throws Exception {
        for (int round = 0; round < 5; round++) {
            InboxKey key = key(round);
            inbox.inTransaction(connection -> inbox.lease(connection, key, Origin.SOURCE, Duration.ofMillis(1)));
            Awaitility.await().pollDelay(Duration.ofMillis(5)).until(() -> true);

            List<Claim> claims = parallel(
                    8,
                    i -> inbox.inTransaction(
                            connection -> inbox.lease(connection, key, Origin.SOURCE, Duration.ofMinutes(1))));

            assertThat(claims).filteredOn(Claim::isTaken).containsExactly(Claim.leased(2));
            assertThat(claims)
                    .filteredOn(claim -> claim.status() == Claim.Status.BUSY)
                    .hasSize(7);
        }
    }

    @Test
    void aDeadlockBetweenConsumersIsAFailureOfTheStoreAndNotOfTheEvent() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);

        List<Object> results = parallel(2, i -> {
            try {
                return inbox.inTransaction(connection -> {
                    inbox.claim(connection, key(i), Origin.SOURCE);
                    both.await(10, TimeUnit.SECONDS);
                    return inbox.claim(connection, key(1 - i), Origin.SOURCE);
                });
            } catch (StoreException e) {
                return e;
            }
        });

        assertThat(results).hasAtLeastOneElementOfType(StoreException.class);
        assertThat(rig.count("processed")).as("whole transactions or nothing").isIn(0L, 2L);
    }

    @Test
    void twoDeathsOfAKeyAtOnceAreBothKeptAndOneOfThemParksIt() {
        for (int round = 0; round < 10; round++) {
            String name = "k-" + round;
            OrderKey lane = new OrderKey(CONSUMER, name);

            parallel(
                    4,
                    i -> inbox.inTransaction(connection -> {
                        inbox.setAside(
                                connection,
                                Event.to(CONSUMER).key(name).type("T").build(),
                                0,
                                Setback.dead(2, "no"));
                        return true;
                    }));

            List<DeadLetter> dead =
                    rig.store.deadLetters().list(DeadLetterFilter.all().withKey(name), 0, 10);
            assertThat(dead).hasSize(1);
            assertThat(dead.get(0))
                    .matches(letter -> letter.parksKey() && letter.entry().attempts() == 2);
            assertThat(rig.outbox())
                    .filteredOn(entry -> entry.orderKey().equals(Optional.of(lane)))
                    .hasSize(3)
                    .allMatch(entry -> entry.sequence() > 0 && entry.attempts() == 2 && entry.isDue());
        }
    }

    @Test
    void aDeadLetterWithoutAKeyParksNothing() throws Exception {
        Event event = Event.to(CONSUMER).type("T").build();

        inbox.inTransaction(connection -> {
            inbox.setAside(connection, event, 7, Setback.dead(1, "no"));
            return true;
        });

        Entry dead = rig.store
                .deadLetters()
                .list(DeadLetterFilter.all(), 0, 10)
                .get(0)
                .entry();
        assertThat(dead.event().id()).isEqualTo(event.id());
        assertThat(dead.replay()).isEqualTo(7);
        assertThat(rig.count("parked_key")).isZero();
    }

    @Test
    void fiveThousandAreLookedForAtOnce() throws Exception {
        List<InboxKey> keys = IntStream.range(0, 5_000)
                .mapToObj(i -> new InboxKey(i % 2 == 0 ? CONSUMER : "mail", UUID.randomUUID(), i % 3))
                .toList();
        Set<InboxKey> done = new HashSet<>(keys.subList(100, 150));
        inbox.inTransaction(connection -> {
            done.forEach(key -> inbox.claim(connection, key, Origin.SOURCE));
            return inbox.lease(connection, keys.get(0), Origin.SOURCE, Duration.ofMinutes(1));
        });

        assertThat(inbox.seen(keys)).isEqualTo(done);
        assertThat(inbox.seen(List.of())).isEmpty();
        assertThat(inbox.seen(keys.subList(100, 101))).containsExactly(keys.get(100));
    }

    @Test
    void whatIsOldIsForgottenAndALeaseOnlyWhenItEndedLongAgo() throws Exception {
        JdbcStoreConfig forgetful = JdbcStoreConfig.defaults().withInboxRetention(Duration.ofHours(1));
        JdbcOutboxStore store = JdbcOutboxStore.create(database, forgetful);
        inbox.inTransaction(connection -> {
            inbox.claim(connection, key(1), Origin.SOURCE);
            inbox.claimAside(connection, key(2));
            inbox.lease(connection, key(3), Origin.SOURCE, Duration.ofMinutes(1));
            return inbox.lease(connection, key(4), Origin.SOURCE, Duration.ofHours(3));
        });
        assertThat(store.clean()).isZero();
        Sql.execute(
                database,
                "UPDATE waybill_processed SET recorded_at = recorded_at - INTERVAL '2' HOUR,"
                        + " lease_until = lease_until - INTERVAL '2' HOUR");
        inbox.inTransaction(connection -> inbox.claim(connection, key(5), Origin.SOURCE));

        assertThat(store.clean()).isEqualTo(3);

        assertThat(inbox.seen(IntStream.range(1, 6).mapToObj(JdbcInboxTest::key).toList()))
                .containsExactly(key(5));
        assertThat(rig.count("processed"))
                .as("and the lease that has not ended")
                .isEqualTo(2);
        assertThat(store.clean()).isZero();
    }

    @Test
    void whatIsAsideIsFoundFromItsInsertToItsSettle() throws Exception {
        assertThat(isAside()).isFalse();
        inbox.inTransaction(connection -> {
            inbox.setAside(connection, event(), 0, Setback.retry(1, "no", Duration.ofHours(1)));
            assertThat(inbox.isAside(connection, LANE)).as("its own, too").isTrue();
            return true;
        });
        assertThat(isAside()).isTrue();
        Entry entry = rig.outbox().get(0);
        assertThat(entry.dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        assertThat(entry.attempts()).isEqualTo(1);
        assertThat(entry.lastError()).isEqualTo("no");
        assertThat(inbox.stored(CONSUMER, 0, 10)).extracting(Entry::sequence).containsExactly(entry.sequence());
        assertThat(inbox.stored(CONSUMER, entry.sequence(), 10)).isEmpty();

        rig.settleAll();

        assertThat(isAside()).isFalse();
    }

    private boolean isAside() throws Exception {
        return inbox.inTransaction(connection -> inbox.isAside(connection, LANE));
    }

    private interface Numbered<R> {
        R run(int number) throws Exception;
    }

    private static <R> List<R> parallel(int count, Numbered<R> task) {
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<R>> running = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> Sql.unchecked(() -> {
                            start.await();
                            return task.run(i);
                        }),
                        one -> new Thread(one).start()))
                .toList();
        start.countDown();
        return running.stream().map(CompletableFuture::join).toList();
    }

    private static InboxKey key(int number) {
        return new InboxKey(CONSUMER, new UUID(7, number), 0);
    }

    private static Event event() {
        return Event.to(CONSUMER).key("o-1").type("T").build();
    }
}
