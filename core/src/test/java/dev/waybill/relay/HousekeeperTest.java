package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.Housekeeping;
import dev.waybill.store.StoreException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HousekeeperTest {
    private final Chores chores = new Chores();
    private long now;
    private final Housekeeper housekeeper = new Housekeeper(chores, null, new SimpleMeterRegistry(), () -> now);

    @Test
    void withoutAReplayTheStoreIsAskedOnceASecond() {
        run(Duration.ofSeconds(10));
        assertThat(chores.looks).isBetween(10, 11);
        assertThat(chores.advances).isZero();
    }

    @Test
    void aRunningReplayIsCarriedOnManyTimesASecond() {
        chores.running = true;
        run(Duration.ofSeconds(2));
        assertThat(chores.advances).isBetween(80, 101);
    }

    @Test
    void cleaningGoesOnWhileThereIsSomethingToRemoveAndThenRests() {
        chores.portions = 5;
        run(Duration.ofSeconds(59));
        assertThat(chores.cleans).isEqualTo(6);
        run(Duration.ofSeconds(62));
        assertThat(chores.cleans).isEqualTo(8);
    }

    @Test
    void aChoreThatFailsDoesNotKeepTheOthersFromBeingDone() {
        chores.cleaningFails = true;
        chores.running = true;
        run(Duration.ofSeconds(11));
        assertThat(chores.cleans).as("tried again after a pause").isEqualTo(3);
        assertThat(chores.advances).isPositive();
    }

    private void run(Duration time) {
        long end = now + time.toNanos();
        while (now < end) {
            housekeeper.doWork();
            now += Math.max(1, housekeeper.idleFor().toNanos());
        }
        now = end;
    }

    private static final class Chores implements Housekeeping {
        private boolean running;
        private boolean cleaningFails;
        private int looks;
        private int advances;
        private int cleans;
        private int portions;

        @Override
        public int advanceReplays() {
            advances++;
            return 10;
        }

        @Override
        public boolean hasRunningReplays() {
            looks++;
            return running;
        }

        @Override
        public int clean() {
            cleans++;
            if (cleaningFails) {
                throw new StoreException("out of reach", null);
            }
            return portions-- > 0 ? 1000 : 0;
        }
    }
}
