package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final Percentage ONE_PERCENT = Percentage.withPercentage(1);

    private final Latencies latencies = new Latencies(2);
    private final Latencies roundTrips = new Latencies(2);
    private final OrderTimes times = new OrderTimes(latencies, roundTrips);

    @Test
    void percentilesAreThoseOfAllThatWasRecorded() {
        for (int millis = 1; millis <= 1000; millis++) {
            latencies.record(Duration.ofMillis(millis));
        }
        latencies.nextSlice();
        Percentiles overall = latencies.overall();
        assertThat(overall.count()).isEqualTo(1000);
        assertThat(overall.p50()).isCloseTo(500, ONE_PERCENT);
        assertThat(overall.p99()).isCloseTo(990, ONE_PERCENT);
        assertThat(overall.max()).isCloseTo(1000, ONE_PERCENT);
    }

    @Test
    void recentForgetsOldSlicesAndOverallDoesNot() {
        latencies.record(Duration.ofSeconds(5));
        latencies.nextSlice();
        latencies.record(Duration.ofMillis(1));
        latencies.nextSlice();
        assertThat(latencies.recent().max()).isCloseTo(5000, ONE_PERCENT);
        latencies.nextSlice();
        assertThat(latencies.recent().max()).isCloseTo(1, ONE_PERCENT);
        assertThat(latencies.overall().max()).isCloseTo(5000, ONE_PERCENT);
    }

    @Test
    void withoutAnythingRecordedAllIsZero() {
        latencies.nextSlice();
        assertThat(latencies.recent()).isEqualTo(new Percentiles(0, 0, 0, 0));
    }

    @Test
    void anOrderIsMeasuredFromItsCommitAndOnce() {
        times.placing(1);
        times.committed(1);
        times.tookEffect(1);
        times.tookEffect(1);
        assertThat(counts()).containsExactly(1L, 0L);
        times.ended(1);
        times.ended(1);
        assertThat(counts()).containsExactly(1L, 1L);
    }

    @Test
    void anEffectBeforeTheCommitReturnsWaitedForNothing() {
        times.placing(1);
        times.tookEffect(1);
        times.ended(1);
        assertThat(counts()).containsExactly(0L, 0L);
        times.committed(1);
        assertThat(counts()).containsExactly(1L, 1L);
        assertThat(latencies.overall().max()).isCloseTo(0, within(0.0));
        assertThat(times.underWay()).isZero();
    }

    @Test
    void whatWasRolledBackIsNotMeasured() {
        times.placing(1);
        times.forget(1);
        times.tookEffect(1);
        times.ended(1);
        assertThat(counts()).containsExactly(0L, 0L);
    }

    private List<Long> counts() {
        latencies.nextSlice();
        roundTrips.nextSlice();
        return List.of(latencies.overall().count(), roundTrips.overall().count());
    }
}
