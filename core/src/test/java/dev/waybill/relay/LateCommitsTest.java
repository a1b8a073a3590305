package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.Lease;
import dev.waybill.store.Scan;
import dev.waybill.store.ShardPage;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LateCommitsTest {
    private final LateCommits lateCommits = new LateCommits();
    private final Shard first = new Shard(new Lease(1, 1, 0));
    private final Shard second = new Shard(new Lease(2, 1, 0));

    @Test
    void aMarkRisesWithTheScanAfterTheWritersHaveEnded() {
        scan(10, 0, Set.of("a"), first);
        scan(20, 0, Set.of("a", "b"), first);
        assertThat(first.lowWater).isZero();

        // The list is read after the snapshot: this scan may not show yet what "a" has committed.
        scan(30, 0, Set.of("b"), first);
        assertThat(first.lowWater).isZero();
        assertThat(lateCommits.decided()).isEqualTo(10);

        scan(40, 0, Set.of("b"), first);
        assertThat(first.lowWater).isEqualTo(10);
    }

    @Test
    void inABacklogMarksFollowThePositionsAtOnce() {
        scan(10, 1_000, Set.of(), first);
        assertThat(first.lowWater).isZero();

        scan(20, 1_000, Set.of("late"), first);
        assertThat(first.lowWater).isEqualTo(20);

        scan(30, 1_000, Set.of("late"), first);
        assertThat(first.lowWater).isEqualTo(30);
    }

    @Test
    void whatOneShardShowsIsKnownOfAll() {
        scan(10, 0, Set.of(), first);
        scan(5, 0, Set.of(), second);

        assertThat(second.lowWater).isEqualTo(5);
    }

    @Test
    void aShardThatIsNotScannedKeepsItsMark() {
        scan(10, 0, Set.of("a"), first);
        scan(20, 0, Set.of(), second);
        scan(30, 0, Set.of(), second);

        assertThat(first.lowWater).isZero();
    }

    @Test
    void aLookWithoutAListRaisesOnlyToWhatWasKnown() {
        scan(10, 0, Set.of(), first);
        first.position = 20;

        lateCommits.peeked(List.of(first));

        assertThat(first.lowWater).isEqualTo(10);
    }

    @Test
    void afterAResetNothingIsKnown() {
        scan(10, 1_000, Set.of(), first);

        lateCommits.reset();
        scan(20, 0, Set.of("a"), first);

        assertThat(lateCommits.decided()).isZero();
        assertThat(first.lowWater).isZero();
    }

    private void scan(long position, long drawn, Set<String> writers, Shard shard) {
        shard.position = position;
        ShardPage page = new ShardPage(shard.lease, true, List.of(), position, true, List.of());
        lateCommits.scanned(new Scan(List.of(page), writers, drawn, Set.of()), List.of(shard));
    }
}
