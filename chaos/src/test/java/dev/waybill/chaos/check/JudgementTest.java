package dev.waybill.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final Episode KILL = new Episode(
            new Fault(1, FaultKind.RELAY_KILL, Duration.ZERO, Duration.ofSeconds(1), 0, null), 1_000, 1_000, 4_000, 1);
    /** Nobody is to blame for this but the relay that was killed. */
    private static final Flow HIDDEN = new Flow(List.of(), List.of(new Passage("orders-1", 1_100, 13_000)));

    @Test
    void whatADeadRelayHidesInATransactionCountsAsItsRecovery() {
        Judgement judgement = judge(DeliveryMode.EXACTLY_ONCE);
        assertThat(judgement.effects()).extracting(Recovery::longest).containsExactly(Duration.ofMillis(11_900));
        assertThat(judgement.holds()).isFalse();
    }

    @Test
    void consumersDoNotWaitForRelaysWithoutTransactions() {
        assertThat(judge(DeliveryMode.IDEMPOTENT).effects()).isEmpty();
    }

    private static Judgement judge(DeliveryMode mode) {
        Settings settings = new Settings(
                1,
                Duration.ofMinutes(1),
                Duration.ofSeconds(4),
                3,
                2,
                2,
                100,
                128,
                mode,
                EnumSet.allOf(FaultKind.class));
        Findings fine = new Findings(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, List.of());
        return Judgement.of(settings, fine, List.of(KILL), HIDDEN);
    }
}
