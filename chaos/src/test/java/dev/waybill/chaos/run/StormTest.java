package dev.waybill.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.server.cli.Terminal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StormTest {
    private static final long ROOM = 400;

    private final long began = SteadyClock.millis();

    @Test
    void aServerThatTakesLongToStartHasItsRoomToRecoverAllTheSame() {
        Fault outage = fault(1, FaultKind.BROKER_KILL, 0, 100);
        Fault next = fault(2, FaultKind.RELAY_KILL, 100 + ROOM, 100);
        List<Episode> episodes = rage(List.of(outage, next), Duration.ofSeconds(3));
        assertThat(episodes).hasSize(2);
        assertThat(episodes.get(1).began() - episodes.get(0).healthy()).isGreaterThanOrEqualTo(ROOM);
    }

    @Test
    void whatNoLongerFitsDoesNotHappen() {
        Fault outage = fault(1, FaultKind.BROKER_KILL, 0, 100);
        Fault next = fault(2, FaultKind.RELAY_KILL, 100 + ROOM, 300);
        assertThat(rage(List.of(outage, next), Duration.ofSeconds(1))).hasSize(1);
    }

    private List<Episode> rage(List<Fault> faults, Duration duration) {
        return new Storm(this::happen, new Progress(Terminal.system()), began, () -> false).rage(faults, duration);
    }

    /** The server comes back 500 ms later than planned. */
    private Episode happen(Fault fault) {
        long start = SteadyClock.millis();
        if (fault.kind() == FaultKind.BROKER_KILL) {
            await().pollInterval(Duration.ofMillis(10)).until(() -> SteadyClock.millis() >= start + 600);
        }
        long end = SteadyClock.millis();
        return new Episode(fault, start, end, end, 1);
    }

    private static Fault fault(int number, FaultKind kind, long at, long length) {
        return new Fault(number, kind, Duration.ofMillis(at), Duration.ofMillis(length), 0, null);
    }
}
