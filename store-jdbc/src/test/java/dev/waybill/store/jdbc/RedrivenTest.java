package dev.waybill.store.jdbc;

import static dev.waybill.store.jdbc.StoreRig.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How long dead letters that were tried again stay visible, beyond the contract. */
@ParameterizedClass
@MethodSource("databases")
class RedrivenTest {
    private final DataSource database;
    private final StoreRig rig;
    private final DeadLetters letters;

    RedrivenTest(DataSource database) {
        this.database = database;
        rig = new StoreRig(
                database,
                JdbcStoreConfig.defaults()
                        .withDecidedRetention(Duration.ofDays(2))
                        .withMaxReplays(2));
        letters = rig.store.deadLetters();
        for (String table : List.of("outbox", "dead_letter", "parked_key", "redriven")) {
            Sql.execute(database, "DELETE FROM waybill_" + table);
        }
    }

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.mariadb(), H2Databases.inMemory());
    }

    @Test
    void resolvedOnesAreRemovedAfterTheirTimeAndUnresolvedOnesNever() {
        long pending = redriven("a");
        die(pending);
        long replaying = redriven("b");
        long released = redriven("c", DeadLetterPolicy.PARK);
        long resolved = redriven("d");
        rig.settle(StoreRig.delivered(rig.outbox().stream()
                .filter(entry -> entry.sequence() == resolved)
                .toList()));

        rig.store.clean();
        assertThat(states()).containsExactly(State.PENDING, State.REPLAYING, State.REPLAYING, State.RESOLVED);
        age("redriven_at", "resolved_at", "died_at");
        rig.store.clean();

        assertThat(letters.find(resolved)).isEmpty();
        assertThat(letters.find(pending))
                .hasValueSatisfying(letter -> assertThat(letter.replays()).isEqualTo(1));
        assertThat(letters.find(replaying))
                .hasValueSatisfying(letter -> assertThat(letter.state()).isEqualTo(State.REPLAYING));
        assertThat(letters.find(released))
                .hasValueSatisfying(letter -> assertThat(letter.state()).isEqualTo(State.REPLAYING));
        assertThat(rig.count("redriven")).isEqualTo(3);
    }

    @Test
    void oneThatWasTriedAgainAndThenDiscardedNeverSeemsToHaveArrived() {
        long sequence = redriven("a");
        die(sequence);
        letters.discard(sequence, TESTER);
        assertThat(letters.find(sequence))
                .hasValueSatisfying(letter ->
                        assertThat(letter).matches(one -> one.state() == State.DISCARDED && one.replays() == 1));
        Sql.execute(database, "UPDATE waybill_dead_letter SET decided_at = decided_at - INTERVAL '3' DAY");

        rig.store.clean();

        assertThat(letters.find(sequence)).isEmpty();
        assertThat(letters.count(DeadLetterFilter.all().withState(State.RESOLVED)))
                .isZero();
    }

    @Test
    void theLimitIsTheStoresOwn() {
        long sequence = redriven("a");
        die(sequence);
        letters.redrive(sequence, TESTER);
        die(sequence);

        assertThatThrownBy(() -> letters.redrive(sequence, TESTER))
                .isInstanceOf(ReplayLimitException.class)
                .hasMessageContaining("2 times");
    }

    @Test
    void aSequenceBelowOneThatWasResolvedIsRepaired() {
        long sequence = redriven("a");
        rig.settleAll();
        Sql.execute(database, "UPDATE waybill_redriven SET seq = 5000 WHERE seq = " + sequence);

        rig.store.migrate();
        rig.publish(StoreRig.events(1));

        assertThat(rig.outbox()).allMatch(entry -> entry.sequence() > 5_000);
    }

    @Test
    void filtersApplyToReplayingAndResolvedOnes() {
        long replaying = redriven("a");
        long other = redriven("b");
        DeadLetterFilter filter = DeadLetterFilter.all().withState(State.REPLAYING);

        assertThat(sequences(filter)).containsExactly(replaying, other);
        assertThat(sequences(filter.withKey("b"))).containsExactly(other);
        assertThat(sequences(filter.withReason("BROKEN"))).hasSize(2);
        assertThat(sequences(filter.withReason("other"))).isEmpty();
        assertThat(sequences(filter.withDestination("mails"))).isEmpty();
        assertThat(letters.count(filter.withKey("b"))).isEqualTo(1);
        rig.settleAll();
        assertThat(sequences(filter)).isEmpty();
        assertThat(sequences(filter.withState(State.RESOLVED).withKey("a"))).containsExactly(replaying);
    }

    private long redriven(String key) {
        return redriven(key, DeadLetterPolicy.SKIP);
    }

    private long redriven(String key, DeadLetterPolicy policy) {
        rig.publish(List.of(StoreRig.event(key)));
        List<Entry> entries = rig.outbox();
        Entry entry = entries.get(entries.size() - 1);
        rig.settle(List.of(new Outcome.Died(entry.shard(), entry.sequence(), "broken", policy)));
        assertThat(letters.redrive(entry.sequence(), TESTER)).isTrue();
        return entry.sequence();
    }

    private void die(long sequence) {
        Entry entry = rig.outbox().stream()
                .filter(one -> one.sequence() == sequence)
                .findFirst()
                .orElseThrow();
        rig.settle(List.of(new Outcome.Died(entry.shard(), sequence, "broken again", DeadLetterPolicy.SKIP)));
    }

    private void age(String... columns) {
        for (String column : columns) {
            Sql.execute(database, "UPDATE waybill_redriven SET %1$s = %1$s - INTERVAL '3' DAY".formatted(column));
        }
    }

    private List<State> states() {
        return Stream.of(State.PENDING, State.REPLAYING, State.RESOLVED)
                .flatMap(state -> letters.list(DeadLetterFilter.all().withState(state), 0, 10).stream())
                .map(DeadLetter::state)
                .toList();
    }

    private List<Long> sequences(DeadLetterFilter filter) {
        return letters.list(filter, 0, 10).stream()
                .map(letter -> letter.entry().sequence())
                .toList();
    }
}
