package dev.waybill.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CorpusTest {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Map<String, Harness> HARNESSES = new HashMap<>();

    @TestFactory
    Stream<DynamicTest> everyInputThatWasEverThoughtOfOrFoundIsDealtWith() {
        return Targets.names().stream()
                .flatMap(target -> Corpus.of(target).stream()
                        .map(line -> DynamicTest.dynamicTest(
                                target + ": " + line, () -> assertTimeout(LONGEST, () -> check(target, line)))));
    }

    /** Reports name a dynamic test by its number only. */
    private static void check(String target, String line) {
        try {
            HARNESSES.computeIfAbsent(target, Harness::new).run(Corpus.read(line));
        } catch (RuntimeException | Error e) {
            throw new AssertionError(target + ": " + line + " -> " + e, e);
        }
    }

    @ParameterizedTest
    @MethodSource
    void aLineIsTheInputThatItWasMadeOf(byte[] data) {
        assertThat(Corpus.read(Corpus.write(data))).isEqualTo(data);
    }

    static Stream<byte[]> aLineIsTheInputThatItWasMadeOf() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        return Stream.of(all, new byte[0], "#|\\x\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aLineIsPrintableWhateverTheInputIs() {
        aLineIsTheInputThatItWasMadeOf()
                .map(Corpus::write)
                .forEach(line -> assertThat(line).matches("[ -~]*"));
    }
}
