package dev.waybill.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.UUID;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final Percentage ONE_PERCENT = Percentage.withPercentage(1);

    private final Latencies latencies = new Latencies(2);

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
    void aDeliveryIsMeasuredFromItsCommitAndOnce() {
        UUID id = UUID.randomUUID();
        DeliveryTimes times = new DeliveryTimes(latencies);
        times.writing(id);
        times.committed(id);
        times.called(id);
        times.called(id);
        latencies.nextSlice();
        assertThat(latencies.overall().count()).isEqualTo(1);
    }

    @Test
    void aConsumerThatIsCalledBeforeTheCommitReturnsWaitedForNothing() {
        UUID id = UUID.randomUUID();
        DeliveryTimes times = new DeliveryTimes(latencies);
        times.writing(id);
        times.called(id);
        times.committed(id);
        latencies.nextSlice();
        assertThat(latencies.overall().count()).isEqualTo(1);
        assertThat(latencies.overall().max()).isCloseTo(0, within(0.0));
    }

    @Test
    void whatWasRolledBackIsNotMeasured() {
        UUID id = UUID.randomUUID();
        DeliveryTimes times = new DeliveryTimes(latencies);
        times.writing(id);
        times.forget(id);
        times.called(id);
        latencies.nextSlice();
        assertThat(latencies.overall().count()).isZero();
    }
}
