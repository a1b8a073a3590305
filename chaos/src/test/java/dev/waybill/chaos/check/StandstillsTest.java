package dev.waybill.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.FaultKind.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StandstillsTest {
    private static final Set<Part> PARTS = Set.of(Part.RELAYS, Part.DATABASE);

    private final List<Passage> passages = new ArrayList<>();

    @Test
    void aLaneThatHadNothingToDeliverDidNotStandStill() {
        passages.add(new Passage("a", 0, 10));
        passages.add(new Passage("a", 60_000, 60_010));
        Episode kill = kill(1, 1_000);
        // The way of the second one, and nothing of the minute before it.
        assertThat(after(kill, List.of(kill)).longest()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void theLongestStandstillOfAnyLaneCounts() {
        steady("a", 0, 20_000);
        steady("b", 0, 5_000);
        // Waits for a takeover, and then drains.
        for (long at = 5_100; at < 9_000; at += 100) {
            passages.add(new Passage("b", at, 9_000));
        }
        Episode kill = kill(1, 5_000);
        Recovery recovery = after(kill, List.of(kill));
        assertThat(recovery.longest()).isEqualTo(Duration.ofMillis(3_900));
        assertThat(recovery.lane()).isEqualTo("b");
        assertThat(recovery.overtaken()).isFalse();
    }

    @Test
    void whatStoodStillBeforeTheServerWasBackIsNotCounted() {
        passages.add(new Passage("a", 1_000, 8_500));
        Episode outage = new Episode(fault(1, FaultKind.DATABASE_KILL), 900, 8_000, 8_000, 1);
        assertThat(after(outage, List.of(outage)).longest()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void whatIsLeftWhenTheNextFaultStrikesIsCountedForThatOne() {
        passages.add(new Passage("a", 5_000, 20_000));
        Episode kill = kill(1, 5_000);
        Episode outage = new Episode(fault(2, FaultKind.DATABASE_KILL), 8_000, 12_000, 12_000, 1);
        Recovery first = after(kill, List.of(kill, outage));
        assertThat(first.longest()).isEqualTo(Duration.ofSeconds(3));
        assertThat(first.overtaken()).isTrue();
        assertThat(after(outage, List.of(kill, outage)).longest()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void aFaultOfAPartThatHoldsNothingUpTakesNothingOver() {
        passages.add(new Passage("a", 5_000, 16_000));
        Episode kill = kill(1, 5_000);
        Episode writer = new Episode(fault(2, FaultKind.WRITER_KILL), 6_000, 6_000, 9_000, 1);
        Recovery recovery = after(kill, List.of(kill, writer));
        assertThat(recovery.longest()).isEqualTo(Duration.ofSeconds(11));
        assertThat(recovery.overtaken()).isFalse();
    }

    @Test
    void aFaultThatAnotherOneFollowsAtOnceWasNotRecoveredFrom() {
        passages.add(new Passage("a", 1_000, 15_000));
        Episode outage = new Episode(fault(1, FaultKind.DATABASE_KILL), 900, 10_000, 10_000, 1);
        Episode kill = kill(2, 10_028);
        assertThat(after(outage, List.of(outage, kill)).overtaken()).isTrue();
        Recovery recovery = after(kill, List.of(outage, kill));
        assertThat(recovery.longest()).isEqualTo(Duration.ofMillis(4_972));
        assertThat(recovery.overtaken()).isFalse();
    }

    @Test
    void aFaultInsideOfAnOutageThatEndsLaterWasNotRecoveredFrom() {
        passages.add(new Passage("a", 4_000, 9_500));
        Episode outage = new Episode(fault(1, FaultKind.DATABASE_KILL), 3_900, 9_000, 9_000, 1);
        Episode kill = kill(2, 5_000);
        assertThat(after(kill, List.of(outage, kill)).overtaken()).isTrue();
        assertThat(after(outage, List.of(outage, kill)).longest()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void whatOnlyTheNextFaultStopsDoesNotCountForTheOneBefore() {
        steady("a", 0, 10_000);
        // It waited for some milliseconds when the relay was killed.
        passages.add(new Passage("a", 9_990, 14_500));
        Episode first = kill(1, 1_000);
        Episode second = kill(2, 10_000);
        assertThat(after(first, List.of(first, second)).overtaken()).isFalse();
        assertThat(after(second, List.of(first, second)).longest()).isEqualTo(Duration.ofMillis(4_500));
    }

    @Test
    void aStandstillThatBeginsLongAfterTheLastFaultIsCountedForIt() {
        steady("a", 0, 20_000);
        passages.add(new Passage("a", 20_000, 35_000));
        Episode kill = kill(1, 1_000);
        assertThat(after(kill, List.of(kill)).longest()).isEqualTo(Duration.ofSeconds(15));
    }

    private Recovery after(Episode episode, List<Episode> all) {
        return new Standstills(passages, PARTS).after(episode, all);
    }

    private void steady(String lane, long from, long to) {
        for (long at = from; at < to; at += 100) {
            passages.add(new Passage(lane, at, at + 10));
        }
    }

    private static Episode kill(int number, long at) {
        return new Episode(fault(number, FaultKind.RELAY_KILL), at, at, at + 3_000, 1);
    }

    private static Fault fault(int number, FaultKind kind) {
        return new Fault(number, kind, Duration.ZERO, Duration.ofSeconds(1), 0, null);
    }
}
