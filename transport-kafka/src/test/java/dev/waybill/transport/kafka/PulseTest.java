package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseTest {
    private final Pulse pulse = new Pulse(Duration.ofSeconds(10));

    @Test
    void aClusterThatAcknowledgesOthersIsNotSilent() {
        pulse.sent(seconds(0));
        for (int second = 1; second <= 10; second++) {
            pulse.sent(seconds(second));
            pulse.acknowledged(seconds(second));
        }

        assertThat(pulse.wasSilentSince(seconds(0), seconds(10))).isFalse();
    }

    @Test
    void aClusterThatAcknowledgesNothingIsSilent() {
        pulse.sent(seconds(0));

        assertThat(pulse.wasSilentSince(seconds(0), seconds(1))).isFalse();
        assertThat(pulse.wasSilentSince(seconds(0), seconds(10))).isTrue();
    }

    @Test
    void aSilenceThatIsOverCountsForThoseWhoWaitedThroughItAndForNobodyElse() {
        pulse.sent(seconds(0));
        pulse.sent(seconds(0));
        pulse.acknowledged(seconds(9));

        assertThat(pulse.wasSilentSince(seconds(0), seconds(10))).isTrue();
        assertThat(pulse.wasSilentSince(seconds(9.5), seconds(10))).isFalse();
    }

    @Test
    void aTimeWithoutTrafficIsNoSilence() {
        pulse.sent(seconds(0));
        pulse.acknowledged(seconds(0));
        pulse.sent(seconds(3_600));
        pulse.sent(seconds(3_600));
        pulse.acknowledged(seconds(3_601));

        assertThat(pulse.wasSilentSince(seconds(3_600), seconds(3_602))).isFalse();
    }

    @Test
    void aProducerThatAnswersNothingForTwiceItsTimeoutIsDead() {
        assertThat(pulse.isDead(seconds(100))).isFalse();
        pulse.sent(seconds(100));
        pulse.sent(seconds(119));
        assertThat(pulse.isDead(seconds(119))).isFalse();
        assertThat(pulse.isDead(seconds(121))).isTrue();

        pulse.failed(seconds(122));
        assertThat(pulse.isDead(seconds(123))).isFalse();
    }

    /** From a clock that overflows after the first second, as System.nanoTime may. */
    private static long seconds(double seconds) {
        return (long) (seconds * 1e9) + Long.MAX_VALUE - 1_000_000_000;
    }
}
