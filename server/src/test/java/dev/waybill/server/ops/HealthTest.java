package dev.waybill.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void aBusyOutboxIsWell() {
        assertThat(Health.problems(with(1, 64, of("orders", 500, 0, Duration.ofSeconds(50), 100, 0, false))))
                .isEmpty();
    }

    @Test
    void withoutARelayThatIsTheFirstThingToKnow() {
        assertThat(Health.problems(with(0, 0, of("orders", 5, 0, Duration.ofHours(1), 0, 2, false))))
                .hasSize(3)
                .first()
                .asString()
                .startsWith("No relay is running");
    }

    @Test
    void shardsThatNobodyOwnsAreNamed() {
        assertThat(Health.problems(with(1, 40))).singleElement().asString().contains("Only 40 of 64 shards");
    }

    @Test
    void deadLettersComeWithTheNextCommand() {
        assertThat(Health.problems(with(1, 64, of("orders", 0, 0, null, 0, 1, false))))
                .containsExactly("1 dead letter needs a decision: waybill ops dead list");
        assertThat(Health.problems(with(1, 64, of("orders", 0, 0, null, 0, 3, false))))
                .containsExactly("3 dead letters need a decision: waybill ops dead list");
    }

    @Test
    void aPausedDestinationIsNotBlamedForBeingLate() {
        assertThat(Health.problems(with(1, 64, of("orders", 5, 0, Duration.ofHours(1), 0, 0, true))))
                .singleElement()
                .asString()
                .contains("Paused by decision: orders");
    }

    @Test
    void whyADestinationIsLateDependsOnWhatElseIsSeen() {
        assertThat(late(of("a", 5, 2, Duration.ofMinutes(3), 0, 0, false))).contains("waiting 3m", "2 events failed");
        assertThat(late(of("a", 5, 0, Duration.ofMinutes(3), 9, 0, false))).contains("do not keep up");
        assertThat(late(of("a", 5, 0, Duration.ofMinutes(3), 0, 0, false))).contains("may be down");
    }

    private static String late(OfDestination destination) {
        List<String> problems = Health.problems(with(1, 64, destination));
        assertThat(problems).hasSize(1);
        return problems.get(0);
    }

    private static Statistics with(int relays, int shards, OfDestination... destinations) {
        return new Statistics(List.of(destinations), MINUTE, relays, shards);
    }

    private static OfDestination of(
            String name,
            long pending,
            long failing,
            @Nullable Duration oldest,
            long delivered,
            long dead,
            boolean paused) {
        return new OfDestination(name, pending, 0, failing, Optional.ofNullable(oldest), delivered, dead, 0, 0, paused);
    }
}
