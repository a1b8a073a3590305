package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.Lease;
import dev.waybill.store.Ownership;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who owns which shard. */
abstract class LeaseContract extends StoreContract {

    @Test
    void shardsThatWereNeverOwnedAreFree() {
        List<Lease> taken = takeAll(RELAY);

        assertThat(shards(taken))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, Shards.COUNT).boxed().toList());
        assertThat(taken).allMatch(lease -> lease.epoch() > 0);
    }

    @Test
    void nobodyTakesMoreThanTheyAskFor() {
        assertThat(store.take(RELAY, 10, LONG)).hasSize(10);
        assertThat(store.take(RELAY, 0, LONG)).isEmpty();
        assertThat(store.take(RELAY, 5, LONG)).hasSize(5);
        assertThat(store.renew(RELAY, LONG).leases()).hasSize(15);
    }

    @Test
    void onlyShardsThatWereNamedAreTaken() {
        ShardSet named = new ShardSet(1L | 1L << 8 | 1L << 40 | 1L << 63);
        assertThat(shards(store.take(RELAY, named, 3, LONG))).containsExactlyInAnyOrder(0, 8, 40);
        assertThat(shards(store.take(OTHER_RELAY, named, 3, LONG))).containsExactly(63);
        assertThat(store.take(OTHER_RELAY, ShardSet.NONE, 3, LONG)).isEmpty();
    }

    @Test
    void aLiveLeaseIsNotTaken() {
        List<Lease> first = store.take(RELAY, 40, LONG);

        List<Lease> second = takeAll(OTHER_RELAY);

        assertThat(second).hasSize(24);
        assertThat(shards(second)).doesNotContainAnyElementsOf(shards(first));
        assertThat(takeAll(RELAY)).isEmpty();
        assertThat(takeAll(OTHER_RELAY)).isEmpty();
    }

    @Test
    void anExpiredLeaseIsTakenWithAHigherEpoch() {
        List<Lease> old = store.take(RELAY, Shards.COUNT, SHORT);
        outliveShort();

        List<Lease> taken = takeAll(OTHER_RELAY);

        assertThat(taken).hasSize(Shards.COUNT);
        assertThat(taken)
                .allMatch(lease -> lease.epoch() > leaseOf(old, lease.shard()).epoch());
        assertThat(store.renew(RELAY, LONG).leases()).isEmpty();
        assertThat(store.renew(OTHER_RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(taken);
    }

    @Test
    void everyTakeOfAShardHasAHigherEpochThanAnyBefore() {
        long highest = 0;
        for (int i = 0; i < 4; i++) {
            UUID relay = i % 2 == 0 ? RELAY : OTHER_RELAY;
            Lease lease = leaseOf(takeAll(relay), 7);
            assertThat(lease.epoch()).isGreaterThan(highest);
            highest = lease.epoch();
            Lease again = leaseOf(store.retake(relay, LONG), 7);
            assertThat(again.epoch()).isGreaterThan(highest);
            highest = again.epoch();
            store.leave(relay);
        }
    }

    @Test
    void aRenewalExtendsTheLeasesAndKeepsTheirEpochs() {
        List<Lease> taken = store.take(RELAY, 10, SHORT);

        Ownership ownership = store.renew(RELAY, LONG);
        outliveShort();

        assertThat(ownership.leases()).containsExactlyInAnyOrderElementsOf(taken);
        assertThat(takeAll(OTHER_RELAY)).hasSize(54);
        assertThat(store.renew(RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(taken);
    }

    @Test
    void aRenewalExtendsEvenExpiredLeasesIfNobodyTookThem() {
        List<Lease> taken = store.take(RELAY, Shards.COUNT, SHORT);
        outliveShort();

        assertThat(store.renew(RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(taken);

        assertThat(takeAll(OTHER_RELAY)).isEmpty();
    }

    @Test
    void aRenewalOfOneRelayDoesNothingForAnother() {
        store.take(RELAY, Shards.COUNT, SHORT);
        store.renew(OTHER_RELAY, LONG);
        outliveShort();

        assertThat(takeAll(OTHER_RELAY)).hasSize(Shards.COUNT);
    }

    @Test
    void renewalsCountTheLiveRelays() {
        assertThat(store.renew(RELAY, LONG).liveRelays()).isEqualTo(1);
        assertThat(store.renew(OTHER_RELAY, SHORT).liveRelays()).isEqualTo(2);
        assertThat(store.renew(RELAY, LONG).liveRelays()).isEqualTo(2);
        outliveShort();
        assertThat(store.renew(RELAY, LONG).liveRelays()).isEqualTo(1);
        assertThat(store.renew(OTHER_RELAY, LONG).liveRelays()).isEqualTo(2);
        assertThat(store.renew(UUID.randomUUID(), LONG).liveRelays()).isEqualTo(3);
    }

    @Test
    void retakingBumpsTheEpochOfTheRelaysOwnShardsOnly() {
        List<Lease> mine = store.take(RELAY, 10, LONG);
        List<Lease> others = store.take(OTHER_RELAY, 10, LONG);

        List<Lease> again = store.retake(RELAY, LONG);

        assertThat(shards(again)).containsExactlyInAnyOrderElementsOf(shards(mine));
        assertThat(again)
                .allMatch(lease -> lease.epoch() > leaseOf(mine, lease.shard()).epoch());
        assertThat(store.renew(OTHER_RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(others);
        assertThat(store.retake(UUID.randomUUID(), LONG)).isEmpty();
    }

    @Test
    void retakingExtendsTheLeases() {
        store.take(RELAY, Shards.COUNT, SHORT);
        store.retake(RELAY, LONG);
        outliveShort();

        assertThat(takeAll(OTHER_RELAY)).isEmpty();
    }

    @Test
    void whatIsGivenBackIsFreeAtOnce() {
        List<Lease> taken = takeAll(RELAY);
        List<Lease> given = taken.subList(0, 20);

        store.giveBack(RELAY, given);
        store.giveBack(RELAY, given);

        assertThat(store.renew(RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(taken.subList(20, 64));
        List<Lease> theirs = takeAll(OTHER_RELAY);
        assertThat(shards(theirs)).containsExactlyInAnyOrderElementsOf(shards(given));
        assertThat(theirs)
                .allMatch(lease -> lease.epoch() > leaseOf(given, lease.shard()).epoch());
    }

    @Test
    void givingBackALeaseThatIsLostOrRenewedWithAnotherEpochDoesNothing() {
        List<Lease> old = store.take(RELAY, 10, LONG);
        List<Lease> fresh = store.retake(RELAY, LONG);
        List<Lease> theirs = store.take(OTHER_RELAY, 10, LONG);

        store.giveBack(RELAY, old);
        store.giveBack(RELAY, theirs);

        assertThat(store.renew(RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(fresh);
        assertThat(store.renew(OTHER_RELAY, LONG).leases()).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @Test
    void aRelayThatWithdrawsKeepsItsLeasesAndNoLongerCounts() {
        List<Lease> taken = store.take(RELAY, 10, LONG);
        store.renew(RELAY, LONG);

        store.withdraw(RELAY);
        store.withdraw(RELAY);

        assertThat(store.renew(OTHER_RELAY, LONG).liveRelays()).isEqualTo(1);
        assertThat(takeAll(OTHER_RELAY)).hasSize(Shards.COUNT - 10);
        Ownership again = store.renew(RELAY, LONG);
        assertThat(again.leases()).containsExactlyInAnyOrderElementsOf(taken);
        assertThat(again.liveRelays()).isEqualTo(2);
    }

    @Test
    void leavingFreesEverythingAndWithdrawsTheAnnouncement() {
        store.renew(RELAY, LONG);
        store.renew(OTHER_RELAY, LONG);
        store.take(RELAY, 30, LONG);
        List<Lease> theirs = store.take(OTHER_RELAY, 10, LONG);

        store.leave(RELAY);
        store.leave(RELAY);
        store.leave(UUID.randomUUID());

        Ownership ownership = store.renew(OTHER_RELAY, LONG);
        assertThat(ownership.liveRelays()).isEqualTo(1);
        assertThat(ownership.leases()).containsExactlyInAnyOrderElementsOf(theirs);
        assertThat(takeAll(OTHER_RELAY)).hasSize(54);
    }

    @Test
    void concurrentTakersNeverShareAShard() {
        try (InParallel threads = new InParallel()) {
            for (int round = 0; round < 10; round++) {
                List<UUID> relays =
                        IntStream.range(0, 4).mapToObj(i -> UUID.randomUUID()).toList();
                List<Callable<List<Lease>>> takers = new ArrayList<>();
                relays.forEach(relay -> takers.add(() -> store.take(relay, 40, LONG)));

                List<List<Lease>> taken = threads.together(takers);

                assertThat(taken.stream().flatMap(List::stream).map(Lease::shard))
                        .doesNotHaveDuplicates();
                for (int i = 0; i < relays.size(); i++) {
                    assertThat(store.renew(relays.get(i), LONG).leases())
                            .containsExactlyInAnyOrderElementsOf(taken.get(i));
                    store.leave(relays.get(i));
                }
            }
        }
    }

    @Test
    void aRelayThatRenewsWhileAnotherTakesItsExpiredShardsEndsUpWithThemOrWithout() {
        try (InParallel threads = new InParallel()) {
            store.take(RELAY, Shards.COUNT, SHORT);
            outliveShort();

            List<List<Lease>> results = threads.together(
                    List.of(() -> store.renew(RELAY, LONG).leases(), () -> store.take(OTHER_RELAY, 64, LONG)));

            List<Integer> reported = shards(results.get(0));
            List<Integer> theirs = shards(results.get(1));
            List<Integer> left = shards(store.renew(RELAY, LONG).leases());
            assertThat(left).hasSize(Shards.COUNT - theirs.size()).noneMatch(theirs::contains);
            assertThat(reported)
                    .as("a shard that the renewal reports is not taken after it")
                    .noneMatch(theirs::contains);
        }
    }

    private static List<Integer> shards(List<Lease> leases) {
        return leases.stream().map(Lease::shard).toList();
    }
}
