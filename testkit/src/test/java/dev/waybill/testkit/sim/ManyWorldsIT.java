package dev.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What takes minutes; the output says how to see a failed world again.
 *
 * <p>The first 2,000 worlds, not yet 5,000 others each time: of 15,000 with failovers and large bursts 8 failed, some on the
 * simulator's own account, and not all are explained (docs/promises.md).
 */
class ManyWorldsIT {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.waybill");

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    @Test
    void thePromisesHoldInTwoThousandWorlds() {
        assertThat(SimulatorCommand.run(new String[] {"--seeds", "2000"}, System.out))
                .isZero();
    }

    @Test
    void everyPlantedBugIsCaught() {
        assertThat(SimulatorCommand.run(new String[] {"--mutants", "--known"}, System.out))
                .isZero();
    }
}
