package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLetterFilterTest {
    private static final Instant DIED = Instant.parse("2026-01-01T00:00:00Z");
    private static final DeadLetterFilter ALL = DeadLetterFilter.all();
    private static final DeadLetter LETTER = letter(State.PENDING, "Connection REFUSED: 100%");

    @Test
    void withoutAStateAllButTheDiscardedOnesAreMeant() {
        assertThat(ALL.matches(LETTER)).isTrue();
        assertThat(ALL.matches(letter(State.SKIPPED, "x"))).isTrue();
        assertThat(ALL.matches(letter(State.DISCARDED, "x"))).isFalse();
        assertThat(ALL.withState(State.DISCARDED).matches(letter(State.DISCARDED, "x")))
                .isTrue();
        assertThat(ALL.withState(State.SKIPPED).matches(LETTER)).isFalse();
    }

    @Test
    void namesHaveToBeTheSame() {
        assertThat(ALL.withDestination("orders").matches(LETTER)).isTrue();
        assertThat(ALL.withDestination("ORDERS").matches(LETTER)).isFalse();
        assertThat(ALL.withKey("o-1").matches(LETTER)).isTrue();
        assertThat(ALL.withKey("o").matches(LETTER)).isFalse();
        assertThat(ALL.withType("OrderPlaced").matches(LETTER)).isTrue();
        assertThat(ALL.withType("").matches(LETTER)).isFalse();
    }

    @Test
    void aReasonIsFoundByAnyPartOfItInUpperOrLowerCase() {
        assertThat(ALL.withReason("connection refused").matches(LETTER)).isTrue();
        assertThat(ALL.withReason("").matches(LETTER)).isTrue();
        assertThat(ALL.withReason("0%").matches(LETTER)).isTrue();
        assertThat(ALL.withReason("con%ref").matches(LETTER)).isFalse();
        assertThat(ALL.withReason("x".repeat(10_000)).matches(LETTER)).isFalse();
        assertThat(ALL.withReason("").matches(letter(State.PENDING, null))).isFalse();
    }

    @Test
    void theTimeOfDeathIsFromOneTimeOnAndBeforeAnother() {
        assertThat(ALL.withDiedBetween(DIED, null).matches(LETTER)).isTrue();
        assertThat(ALL.withDiedBetween(DIED.plusNanos(1), null).matches(LETTER)).isFalse();
        assertThat(ALL.withDiedBetween(null, DIED).matches(LETTER)).isFalse();
        assertThat(ALL.withDiedBetween(null, DIED.plusNanos(1)).matches(LETTER)).isTrue();
        assertThat(ALL.withDiedBetween(Instant.MIN, Instant.MAX).matches(LETTER))
                .isTrue();
    }

    @Test
    void timesAreThoseThatADatabaseCanCompareWith() {
        DeadLetterFilter filter = ALL.withDiedBetween(Instant.MIN, Instant.MAX);

        assertThat(filter.from()).isEqualTo(Instant.EPOCH);
        assertThat(filter.to()).isEqualTo(Instant.parse("9999-12-31T00:00:00Z"));
    }

    @Test
    void aConditionCanBeTakenAway() {
        DeadLetterFilter filter = ALL.withDestination("d")
                .withKey("k")
                .withType("t")
                .withState(State.PENDING)
                .withReason("r")
                .withDiedBetween(DIED, DIED);

        assertThat(filter).isEqualTo(new DeadLetterFilter("d", "k", "t", State.PENDING, "r", DIED, DIED));
        assertThat(filter.withDestination(null)
                        .withKey(null)
                        .withType(null)
                        .withState(null)
                        .withReason(null)
                        .withDiedBetween(null, null))
                .isEqualTo(ALL);
    }

    @Test
    void aNulCharacterIsRefusedWithTheNameOfTheField() {
        assertThatThrownBy(() -> ALL.withDestination("\0")).hasMessageContaining("destination");
        assertThatThrownBy(() -> ALL.withKey("a\0")).hasMessageContaining("key");
        assertThatThrownBy(() -> ALL.withType("\0b")).hasMessageContaining("type");
        assertThatThrownBy(() -> ALL.withReason("a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reason");
    }

    private static DeadLetter letter(State state, @Nullable String reason) {
        Event event = Event.to("orders").key("o-1").type("OrderPlaced").build();
        return new DeadLetter(new Entry(1, 0, event, 1, reason, 0, Duration.ZERO), state, DIED, false, 0);
    }
}
