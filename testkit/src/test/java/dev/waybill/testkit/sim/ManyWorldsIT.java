package dev.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What takes minutes: other worlds each time. The output says where they begin, and how to see a failed one again. */
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
    void thePromisesHoldInFiveThousandWorlds() {
        assertThat(SimulatorCommand.run(new String[] {"--seeds", "5000", "--from", "random"}, System.out))
                .isZero();
    }

    @Test
    void everyPlantedBugIsCaught() {
        assertThat(SimulatorCommand.run(new String[] {"--mutants", "--known"}, System.out))
                .isZero();
    }
}
