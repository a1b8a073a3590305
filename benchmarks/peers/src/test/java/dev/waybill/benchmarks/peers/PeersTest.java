package dev.waybill.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.ContenderProvider;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Site;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every peer does what the benchmarks ask of a contender; none may look better by losing something. */
class PeersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BYTES = 300;
    private static final int KEYS = 7;
    private static final Set<String> ORDERED = Set.of(NamastackContender.NAME, DebeziumContender.NAME);

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startDatabase() throws IOException {
        server = TestServer.start();
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        server.close();
    }

    static Stream<String> peers() {
        return ServiceLoader.load(ContenderProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(PeerProvider.class::isInstance)
                .flatMap(provider -> provider.names().stream());
    }

    @ParameterizedTest
    @MethodSource("peers")
    void whatIsPublishedWhileItDeliversArrivesOnce(String peer) throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Contender contender = installed(peer)) {
            contender.start(arrivals);
            publish(contender, 1, 50);

            arrivals.awaitAll(50);
            assertThat(purchases()).isEqualTo(50);
            contender.stop();
        }
        arrivals.assertOnce(50);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void whatWasPublishedBeforeItStartsArrivesOnceAndSoDoesWhatFollows(String peer) throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Contender contender = installed(peer)) {
            publish(contender, 1, 50);
            contender.start(arrivals);
            arrivals.awaitAll(50);
            contender.stop();
            contender.start(arrivals);
            publish(contender, 51, 50);

            arrivals.awaitAll(100);
        }
        arrivals.assertOnce(100);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void aBacklogArrivesOnceAndInOrderWhereThatIsPromised(String peer) throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Contender contender = installed(peer)) {
            contender.fill(500, KEYS, BYTES);
            contender.start(arrivals);

            arrivals.awaitAll(500);
            contender.stop();
        }
        arrivals.assertOnce(500);
        for (long number = 1; number <= 500; number++) {
            assertThat(arrivals.payload(number))
                    .isEqualTo(Message.ofBacklog(number, KEYS, BYTES).payload());
        }
        if (ORDERED.contains(peer)) {
            arrivals.assertOrdered();
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void severalMessagesOfATransactionArriveAndAnInstallForgetsThem(String peer) throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Contender contender = installed(peer)) {
            contender.transact(new Purchase(1, "c", 1), Backlog.messages(1, 10, KEYS, BYTES));
            contender.install();
            contender.transact(new Purchase(1, "c", 1), Backlog.messages(11, 10, KEYS, BYTES));
            contender.start(arrivals);

            await().atMost(PATIENCE).until(() -> arrivals.count() >= 10);
            contender.stop();
        }
        assertThat(arrivals.numbers()).containsExactlyInAnyOrder(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
    }

    private static Contender installed(String peer) throws Exception {
        Site site = new Site(server.getJdbcUrl("postgres", "postgres"), "postgres", "", 4, Map.of());
        Contender contender = new PeerProvider().create(peer, site);
        assertThat(contender.settings()).doesNotContain("null").doesNotContain("${");
        contender.install();
        return contender;
    }

    private static void publish(Contender contender, int first, int count) throws Exception {
        for (Message message : Backlog.messages(first, count, KEYS, BYTES)) {
            contender.transact(new Purchase(message.number(), "customer", 100), List.of(message));
        }
    }

    private static int purchases() throws SQLException {
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM purchase")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
