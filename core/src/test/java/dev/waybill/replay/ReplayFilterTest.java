package dev.waybill.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReplayFilterTest {
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-01-02T00:00:00Z");
    private static final ReplayFilter ALL = ReplayFilter.between(FROM, TO);
    private static final Event EVENT =
            Event.to("orders").key("o-1").type("OrderPlaced").build();
    private static final Event KEYLESS = Event.to("orders").type("OrderPlaced").build();

    @Test
    void aSpanIsFromOneTimeOnAndBeforeAnother() {
        assertThat(ALL.matches(EVENT, FROM.minusNanos(1000))).isFalse();
        assertThat(ALL.matches(EVENT, FROM)).isTrue();
        assertThat(ALL.matches(EVENT, TO.minusNanos(1000))).isTrue();
        assertThat(ALL.matches(EVENT, TO)).isFalse();
    }

    @Test
    void aSpanIsNotEmpty() {
        assertThatThrownBy(() -> ReplayFilter.between(FROM, FROM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from must be before to");
        assertThatThrownBy(() -> ReplayFilter.between(TO, FROM)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.withEnd(FROM)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReplayFilter.between(FROM.plusNanos(1), FROM.plusNanos(999)))
                .as("a database would not see the difference")
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timesAreThoseThatADatabaseCanStore() {
        assertThat(ReplayFilter.between(Instant.MIN, Instant.MAX))
                .isEqualTo(ReplayFilter.between(Instant.EPOCH, Instant.parse("9999-12-31T00:00:00Z")));
        assertThat(ReplayFilter.between(FROM.plusNanos(1999), TO).from()).isEqualTo(FROM.plusNanos(1000));
    }

    @Test
    void everyConditionHasToBeMetExactly() {
        assertThat(ALL.withDestination("orders").matches(EVENT, FROM)).isTrue();
        assertThat(ALL.withDestination("Orders").matches(EVENT, FROM)).isFalse();
        assertThat(ALL.withKey("o-1").matches(EVENT, FROM)).isTrue();
        assertThat(ALL.withKey("o-1").matches(KEYLESS, FROM)).isFalse();
        assertThat(ALL.withKey("").matches(KEYLESS, FROM)).isFalse();
        assertThat(ALL.withType("OrderPlaced").matches(EVENT, FROM)).isTrue();
        assertThat(ALL.withType("Order").matches(EVENT, FROM)).isFalse();
        assertThat(ALL.withDestination("orders")
                        .withKey("o-1")
                        .withType("other")
                        .matches(EVENT, FROM))
                .isFalse();
    }

    @Test
    void aConditionCanBeTakenAway() {
        ReplayFilter filter = ALL.withDestination("d").withKey("k").withType("t");

        assertThat(filter).isEqualTo(new ReplayFilter(FROM, TO, "d", "k", "t"));
        assertThat(filter.withDestination(null).withKey(null).withType(null)).isEqualTo(ALL);
        assertThat(filter.withEnd(TO.plusSeconds(1)))
                .isEqualTo(new ReplayFilter(FROM, TO.plusSeconds(1), "d", "k", "t"));
    }

    @Test
    void aNulCharacterIsRefusedWithTheNameOfTheField() {
        assertThatThrownBy(() -> ALL.withDestination("a\0")).hasMessageContaining("destination");
        assertThatThrownBy(() -> ALL.withKey("\0")).hasMessageContaining("key");
        assertThatThrownBy(() -> ALL.withType("a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type");
    }
}
