package dev.waybill.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Receiver;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

/** What has arrived, in its order. */
final class Arrivals implements Receiver {
    private final List<byte[]> payloads = new CopyOnWriteArrayList<>();

    @Override
    public void received(String key, byte[] payload) {
        assertThat(key).isEqualTo("key-" + Message.keyOf(payload));
        payloads.add(payload);
    }

    int count() {
        return payloads.size();
    }

    List<Long> numbers() {
        return payloads.stream().map(Message::numberOf).toList();
    }

    byte[] payload(long number) {
        return payloads.stream()
                .filter(payload -> Message.numberOf(payload) == number)
                .findFirst()
                .map(payload -> Arrays.copyOf(payload, payload.length))
                .orElseThrow();
    }

    void awaitAll(int expected) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(numbers())
                        .containsAll(LongStream.rangeClosed(1, expected).boxed().toList()));
    }

    void assertOnce(int expected) {
        assertThat(numbers())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, expected).boxed().toList());
    }

    void assertOrdered() {
        Map<Long, Long> last = new HashMap<>();
        for (byte[] payload : payloads) {
            long number = Message.numberOf(payload);
            Long before = last.put(Message.keyOf(payload), number);
            assertThat(before == null || before < number)
                    .as("message %d after %d", number, before)
                    .isTrue();
        }
    }
}
