package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EventIdTest {
    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final AtomicLong millis = new AtomicLong(START);
    private final EventId ids = new EventId(() -> Instant.ofEpochMilli(millis.get()));

    @Test
    void anIdIsAUuidOfVersion7WithTheTimeInFront() {
        UUID id = ids.generate();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(START);
    }

    @Test
    void idsIncreaseWithinAMillisecond() {
        // More than the counter holds, so that it runs over into the milliseconds.
        assertIncreasing(generate(10_000));
    }

    @Test
    void idsIncreaseWhenTheClockIsSetBack() {
        List<UUID> all = new ArrayList<>(generate(3));
        millis.addAndGet(-3_600_000);
        all.addAll(generate(3));
        millis.addAndGet(7_200_000);
        all.addAll(generate(3));

        assertIncreasing(all);
    }

    @Test
    void idsOfSeveralThreadsAreUniqueAndIncreaseInEachThread() throws Exception {
        int threads = 4;
        int count = 5_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        Set<UUID> all = new HashSet<>();
        try {
            List<Callable<List<UUID>>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                tasks.add(() -> generate(count));
            }
            for (Future<List<UUID>> future : executor.invokeAll(tasks)) {
                List<UUID> ofThread = future.get(60, TimeUnit.SECONDS);
                assertIncreasing(ofThread);
                all.addAll(ofThread);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(all).hasSize(threads * count).allMatch(id -> id.version() == 7 && id.variant() == 2);
    }

    @Test
    void generatorsDoNotRepeatEachOther() {
        EventId other = new EventId(() -> Instant.ofEpochMilli(START));

        assertThat(generate(100)).doesNotContain(other.generate(), other.generate());
    }

    private List<UUID> generate(int count) {
        List<UUID> generated = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            generated.add(ids.generate());
        }
        return generated;
    }

    /** As databases and people compare them; {@link UUID#compareTo} is signed. */
    private static void assertIncreasing(List<UUID> uuids) {
        List<String> texts = uuids.stream().map(UUID::toString).toList();
        assertThat(texts).isSorted().doesNotHaveDuplicates();
    }
}
