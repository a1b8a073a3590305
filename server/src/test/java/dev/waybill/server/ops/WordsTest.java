package dev.waybill.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.9S, 0s",
        "PT59S, 59s",
        "PT3M12S, 3m 12s",
        "PT3M, 3m",
        "PT2H0M59S, 2h",
        "PT26H30M, 1d 2h",
        "PT-5S, 0s"
    })
    void timesHaveTwoUnitsAtMost(Duration time, String words) {
        assertThat(Words.duration(time)).isEqualTo(words);
    }

    @Test
    void oneIsNotMany() {
        assertThat(Words.count(1, "dead letter")).isEqualTo("1 dead letter");
        assertThat(Words.count(0, "dead letter")).isEqualTo("0 dead letters");
        assertThat(Words.count(3000, "dead letter")).isEqualTo("3,000 dead letters");
    }
}
