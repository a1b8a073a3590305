package dev.waybill.chaos.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The watched clock is that of the test's machine; what the tests add to it lies in the future. */
class TimeOfDayTest {
    private final TimeOfDay watched = TimeOfDay.watch();
    private final long day = System.currentTimeMillis() + 2_000_000;
    private final long steady = SteadyClock.millis() + 1_000_000;

    @AfterEach
    void close() {
        watched.close();
    }

    @Test
    void nowIsNow() {
        assertThat(watched.steady(System.currentTimeMillis()))
                .isBetween(SteadyClock.millis() - 100, SteadyClock.millis() + 100);
    }

    @Test
    void aClockThatIsSetForwardLetsNoTimePass() {
        watched.close();
        watched.saw(day, steady);
        watched.saw(day + 14_000 + 1_000, steady + 1_000);
        assertThat(watched.steady(day + 900)).isEqualTo(steady + 900);
        assertThat(watched.steady(day + 14_000 + 1_500)).isEqualTo(steady + 1_500);
        // Between the jump and the next look: no later than that.
        assertThat(watched.steady(day + 14_000 + 990)).isEqualTo(steady + 1_000);
    }

    @Test
    void ofATimeThatCameTwiceTheLaterOneCounts() {
        watched.close();
        watched.saw(day, steady);
        watched.saw(day + 1_000 - 500, steady + 1_000);
        assertThat(watched.steady(day + 700)).isEqualTo(steady + 1_200);
        assertThat(watched.steady(day + 400)).isEqualTo(steady + 400);
    }

    @Test
    void aClockThatRunsTooFastIsFollowed() {
        watched.close();
        for (int second = 0; second <= 600; second++) {
            watched.saw(day + second * 1_005L, steady + second * 1_000L);
        }
        assertThat(watched.steady(day + 600 * 1_005L)).isEqualTo(steady + 600_000);
    }
}
