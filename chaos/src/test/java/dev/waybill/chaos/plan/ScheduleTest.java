package dev.waybill.chaos.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void theSameSeedGivesTheSameFaults() {
        List<String> once = texts(settings(7, Duration.ofMinutes(10)));
        assertThat(texts(settings(7, Duration.ofMinutes(10)))).isEqualTo(once);
        assertThat(texts(settings(8, Duration.ofMinutes(10)))).isNotEqualTo(once);
    }

    @Test
    void tenMinutesHaveRoomForAllThatIsAskedFor() {
        for (int seed = 0; seed < 200; seed++) {
            List<Fault> faults = Schedule.of(settings(seed, Duration.ofMinutes(10)));
            assertThat(count(faults, FaultKind.RELAY_KILL)).isGreaterThan(20);
            assertThat(count(faults, FaultKind.RELAY_PAUSE)).isGreaterThan(5);
            assertThat(count(faults, FaultKind.DATABASE_KILL)).isGreaterThan(3);
            assertThat(count(faults, FaultKind.BROKER_KILL)).isGreaterThan(3);
            assertThat(count(faults, FaultKind.DATABASE_LINK) + count(faults, FaultKind.BROKER_LINK))
                    .isGreaterThan(20);
        }
    }

    @Test
    void faultsAtTheSameTimeStrikeDifferentParts() {
        for (int seed = 0; seed < 200; seed++) {
            List<Fault> faults = Schedule.of(settings(seed, Duration.ofMinutes(10)));
            for (Fault fault : faults) {
                assertThat(faults)
                        .filteredOn(before ->
                                before.number() < fault.number() && before.end().compareTo(fault.at()) > 0)
                        .noneMatch(
                                before -> before.kind().part() == fault.kind().part());
            }
        }
    }

    @Test
    void onlyWhatWasAskedForHappens() {
        Settings all = settings(3, Duration.ofMinutes(5));
        Settings one = new Settings(
                3,
                all.duration(),
                all.lease(),
                3,
                2,
                2,
                100,
                128,
                DeliveryMode.IDEMPOTENT,
                Set.of(FaultKind.WRITER_PAUSE));
        assertThat(Schedule.of(one)).isNotEmpty().allMatch(fault -> fault.kind() == FaultKind.WRITER_PAUSE);
    }

    @Test
    void pausesAreLongerThanTheLease() {
        Settings settings = settings(5, Duration.ofMinutes(10));
        assertThat(Schedule.of(settings))
                .filteredOn(fault -> fault.kind() == FaultKind.RELAY_PAUSE)
                .isNotEmpty()
                .allMatch(fault -> fault.length().compareTo(settings.lease()) > 0);
    }

    private static long count(List<Fault> faults, FaultKind kind) {
        return faults.stream().filter(fault -> fault.kind() == kind).count();
    }

    private static List<String> texts(Settings settings) {
        return Schedule.of(settings).stream().map(Fault::text).toList();
    }

    private static Settings settings(long seed, Duration duration) {
        return new Settings(
                seed,
                duration,
                Duration.ofSeconds(4),
                3,
                2,
                2,
                100,
                128,
                DeliveryMode.IDEMPOTENT,
                EnumSet.allOf(FaultKind.class));
    }
}
