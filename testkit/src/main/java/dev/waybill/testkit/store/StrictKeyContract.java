package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** For strict keys the order of commits is the order of sequences. */
abstract class StrictKeyContract extends StoreContract {
    private static final int ROUNDS = 25;

    @Test
    void aStrictKeyIsLockedUntilTheCommit() {
        Event first = event(KEY);
        Event second = event(KEY);
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction holder = fixture.begin()) {
            holder.append(List.of(first), Set.of(KEY));
            Future<Boolean> waiting = threads.start(() -> publishStrict(List.of(second), Set.of(KEY)));
            assertThat(InParallel.isHeldUp(waiting)).isTrue();

            holder.commit();

            assertThat(InParallel.result(waiting)).isTrue();
        }
        assertThat(ids(entriesOf(KEY))).containsExactly(first.id(), second.id());
    }

    @Test
    void aStrictKeyIsFreeAfterARollback() {
        Event second = event(KEY);
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction holder = fixture.begin()) {
            holder.append(List.of(event(KEY)), Set.of(KEY));
            Future<Boolean> waiting = threads.start(() -> publishStrict(List.of(second), Set.of(KEY)));
            assertThat(InParallel.isHeldUp(waiting)).isTrue();

            holder.rollback();

            assertThat(InParallel.result(waiting)).isTrue();
        }
        assertThat(ids(entriesOf(KEY))).containsExactly(second.id());
    }

    @Test
    void theHolderOfAStrictKeyMayAppendAgain() {
        try (StoreFixture.Transaction holder = fixture.begin()) {
            holder.append(List.of(event(KEY)), Set.of(KEY));
            holder.append(List.of(event(KEY)), Set.of(KEY));
            holder.commit();
        }

        assertThat(entriesOf(KEY)).hasSize(2);
    }

    @Test
    void nothingElseIsLocked() {
        OrderKey sameDestination = new OrderKey(KEY.destination(), "another");
        OrderKey sameName = new OrderKey("elsewhere", KEY.key());
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction holder = fixture.begin()) {
            holder.append(List.of(event(KEY)), Set.of(KEY));

            List<OrderKey> others = List.of(sameDestination, sameName);
            for (OrderKey other : others) {
                assertThat(InParallel.result(threads.start(() -> publishStrict(List.of(event(other)), Set.of(other)))))
                        .isTrue();
            }
            assertThat(InParallel.result(threads.start(() -> publishStrict(List.of(event(KEY)), Set.of()))))
                    .isTrue();
        }
    }

    @Test
    void aReaderOfAStrictKeyNeverSeesALowerSequenceAfterAHigherOne() {
        AtomicInteger running = new AtomicInteger(3);
        Callable<Boolean> writer = () -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    publishStrict(List.of(event(KEY), event(KEY)), Set.of(KEY));
                }
            } finally {
                running.decrementAndGet();
            }
            return true;
        };
        Callable<Boolean> reader = () -> {
            List<Long> seen = List.of();
            while (running.get() > 0) {
                List<Long> now = sequences(entriesOf(KEY));
                assertThat(now).isSorted().hasSizeGreaterThanOrEqualTo(seen.size());
                assertThat(now.subList(0, seen.size())).isEqualTo(seen);
                seen = now;
            }
            return true;
        };
        try (InParallel threads = new InParallel()) {
            threads.together(List.of(writer, writer, writer, reader));
        }
        assertThat(entriesOf(KEY)).hasSize(3 * 2 * ROUNDS);
    }

    @Test
    void transactionsThatShareSeveralStrictKeysDoNotDeadlock() {
        List<OrderKey> keys = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            keys.add(new OrderKey("orders", "shared-" + i));
        }
        List<Callable<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // Each leaves two keys out and begins with another one: unsorted, they would wait for each other in a ring.
            List<OrderKey> rotated = new ArrayList<>(keys);
            Collections.rotate(rotated, 2 * i);
            writers.add(() -> publishAllOften(rotated.subList(0, 4)));
        }
        try (InParallel threads = new InParallel()) {
            threads.together(writers);
        }

        for (OrderKey key : keys) {
            assertThat(entriesOf(key)).hasSize(2 * ROUNDS);
        }
    }

    @Test
    void strictKeysAreLockedInOneOrderWhateverTheOrderOfTheSet() {
        OrderKey busy = new OrderKey("orders", "busy");
        OrderKey free = new OrderKey("orders", "free");

        boolean freeFirst = locksFreeKeyBeforeItWaits(busy, free, List.of(busy, free));

        assertThat(locksFreeKeyBeforeItWaits(busy, free, List.of(free, busy))).isEqualTo(freeFirst);
    }

    /** Whether a transaction that wants both keys holds the free one while it waits for the busy one. */
    private boolean locksFreeKeyBeforeItWaits(OrderKey busy, OrderKey free, List<OrderKey> wanted) {
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction holder = fixture.begin()) {
            holder.append(List.of(event(busy)), Set.of(busy));
            List<Event> events = wanted.stream().map(StoreContract::event).toList();
            Future<Boolean> waiting = threads.start(() -> publishStrict(events, new LinkedHashSet<>(wanted)));
            assertThat(InParallel.isHeldUp(waiting)).isTrue();
            Future<Boolean> probe = threads.start(() -> publishStrict(List.of(event(free)), Set.of(free)));
            boolean locked = InParallel.isHeldUp(probe, Duration.ofSeconds(2));
            holder.rollback();
            assertThat(InParallel.result(waiting)).isTrue();
            assertThat(InParallel.result(probe)).isTrue();
            return locked;
        }
    }

    private boolean publishAllOften(List<OrderKey> keys) {
        for (int i = 0; i < ROUNDS; i++) {
            publishStrict(keys.stream().map(StoreContract::event).toList(), new LinkedHashSet<>(keys));
        }
        return true;
    }

    private boolean publishStrict(List<Event> events, Set<OrderKey> strict) {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(events, strict);
            transaction.commit();
            return true;
        }
    }
}
