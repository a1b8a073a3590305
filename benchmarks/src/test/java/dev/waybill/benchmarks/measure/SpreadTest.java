package dev.waybill.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void theMedianIsTheMiddleOrBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(3, 1, 2).median()).isEqualTo(2);
        assertThat(Spread.of(4, 1, 3, 2).median()).isEqualTo(2.5);
    }

    @Test
    void fewFiguresHaveAnIntervalFromTheLowestToTheHighest() {
        assertThat(Spread.of(5, 9, 7)).isEqualTo(new Spread(7, 5, 9));
        assertThat(Spread.of(5)).isEqualTo(new Spread(5, 5, 5));
    }

    /** P(at most 1 of 10 tosses) = 1.07 % at each end; leaving out two would be 5.5 %. */
    @Test
    void oneOfTenMayBeLeftOutAtEachEnd() {
        assertThat(Spread.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).isEqualTo(new Spread(5.5, 2, 9));
    }

    @Test
    void theIntervalHoldsTheTrueMedianInNineteenOfTwentyCases() {
        Random random = new Random(7);
        int held = 0;
        for (int run = 0; run < 2000; run++) {
            Spread spread = Spread.of(random.doubles(10).map(x -> x * x).toArray());
            held += spread.low() <= 0.25 && spread.high() >= 0.25 ? 1 : 0;
        }
        assertThat(held).isGreaterThan(1900).isLessThan(2000);
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        Spread spread = Spread.ofRatios(new double[] {1, 20, 300}, new double[] {2, 20, 200});
        assertThat(spread).isEqualTo(new Spread(1, 0.5, 1.5));
    }

    @Test
    void figuresWithoutPartnersAreRefused() {
        assertThatThrownBy(() -> Spread.ofRatios(new double[] {1}, new double[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Spread.of()).isInstanceOf(IllegalArgumentException.class);
    }
}
