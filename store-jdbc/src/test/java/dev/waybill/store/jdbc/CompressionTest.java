package dev.waybill.store.jdbc;

import static dev.waybill.store.jdbc.StoreRig.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.Correction;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large payloads are stored deflated if that is asked for, and nobody notices. */
class CompressionTest {
    private static final JdbcStoreConfig COMPRESSING =
            JdbcStoreConfig.defaults().withCompressAbove(100);
    private static final int LARGE = 10_000;

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.mariadb(), H2Databases.inMemory());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void onlyWhatIsLargeAndBecomesSmallerIsDeflated(DataSource database) {
        StoreRig rig = new StoreRig(database, COMPRESSING);
        byte[] noise = new byte[LARGE];
        new Random(1).nextBytes(noise);
        List<Event> events = List.of(event(new byte[LARGE]), event(noise), event(new byte[100]), event(new byte[0]));

        rig.publish(events);

        assertThat(rig.outbox().stream().map(Entry::event)).isEqualTo(events);
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox WHERE inflated_size IS NOT NULL"))
                .isEqualTo(1);
        assertThat(Sql.number(
                        database, "SELECT OCTET_LENGTH(payload) FROM waybill_outbox WHERE inflated_size = " + LARGE))
                .isLessThan(100);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aDeflatedPayloadStaysTheSameWhereverItGoes(DataSource database) {
        StoreRig rig = new StoreRig(database, COMPRESSING);
        Event event = event(new byte[LARGE]);
        rig.publish(List.of(event));
        Entry entry = rig.outbox().get(0);
        rig.settle(List.of(new Outcome.Died(entry.shard(), entry.sequence(), "broken", DeadLetterPolicy.SKIP)));
        assertThat(letter(rig, entry)).isEqualTo(event);

        Payload corrected = Payload.utf8("y".repeat(LARGE));
        assertThat(rig.store
                        .deadLetters()
                        .edit(entry.sequence(), Correction.none().withPayload(corrected), TESTER))
                .isTrue();
        assertThat(letter(rig, entry).payload()).isEqualTo(corrected);
        assertThat(rig.store.auditTrail().records(Long.MAX_VALUE, 1).get(0).original())
                .isEqualTo(event);

        assertThat(rig.store.deadLetters().redrive(entry.sequence(), TESTER)).isTrue();
        rig.settleAll();
        JdbcOutboxStore plain = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        assertThat(plain.operations().find(event.id()))
                .as("one that does not compress reads it too")
                .singleElement()
                .matches(located -> located.entry().event().payload().equals(corrected));
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_history WHERE inflated_size = " + LARGE))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aPageIsLimitedByWhatItsPayloadsReallyAre(DataSource database) {
        StoreRig rig = new StoreRig(database, COMPRESSING);
        rig.publish(List.of(event(new byte[LARGE]), event(new byte[LARGE]), event(new byte[LARGE])));
        int shard = rig.outbox().get(0).shard();

        var page = rig.store
                .scan(UUID.randomUUID(), List.of(new ScanCursor(shard, 0, 0, 10, LARGE * 3 / 2, Set.of())))
                .pages()
                .get(0);

        assertThat(page.entries()).hasSize(1);
        assertThat(page.more()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 1, LARGE + 1, 0, -1, Integer.MAX_VALUE})
    void aRowWhosePayloadDoesNotInflateToItsSizeStopsNoOther(int wrongSize) {
        for (DataSource database : databases().toList()) {
            StoreRig rig = new StoreRig(database, COMPRESSING);
            Event broken = event(new byte[LARGE]);
            Event sound = event(new byte[LARGE]);
            rig.publish(List.of(broken, sound));
            Sql.execute(
                    database,
                    "UPDATE waybill_outbox SET inflated_size = " + wrongSize + " WHERE id = '" + broken.id() + "'");

            assertThat(StoreRig.ids(rig.outbox())).containsExactly(sound.id());
            assertThat(rig.store.operations().find(broken.id())).isEmpty();
            assertThat(rig.count("outbox")).as("it stays where it is").isEqualTo(2);
        }
    }

    private static Event letter(StoreRig rig, Entry entry) {
        return rig.store
                .deadLetters()
                .find(entry.sequence())
                .orElseThrow()
                .entry()
                .event();
    }

    private static Event event(byte[] payload) {
        return Event.to("orders").key("o-1").type("T").payload(payload).build();
    }
}
