package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class JdbcStoreConfigTest {
    private static final JdbcStoreConfig DEFAULTS = JdbcStoreConfig.defaults();

    @Test
    void everySettingIsChangedByItselfAndKeepsTheOthers() {
        JdbcStoreConfig changed = DEFAULTS.withSchema("shop")
                .withTablePrefix("w_")
                .withStatementTimeout(Duration.ofSeconds(2))
                .withRetention(Duration.ofHours(3))
                .withCompressAbove(4)
                .withDecidedRetention(Duration.ofDays(5))
                .withInboxRetention(Duration.ofDays(6))
                .withMaxReplays(7);

        assertThat(changed)
                .isEqualTo(new JdbcStoreConfig(
                        "shop",
                        "w_",
                        Duration.ofSeconds(2),
                        Duration.ofHours(3),
                        4,
                        Duration.ofDays(5),
                        Duration.ofDays(6),
                        7));
        assertThat(changed.withSchema(null)
                        .withTablePrefix(DEFAULTS.tablePrefix())
                        .withStatementTimeout(DEFAULTS.statementTimeout())
                        .withRetention(DEFAULTS.retention())
                        .withCompressAbove(DEFAULTS.compressAbove())
                        .withDecidedRetention(DEFAULTS.decidedRetention())
                        .withInboxRetention(DEFAULTS.inboxRetention())
                        .withMaxReplays(DEFAULTS.maxReplays()))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void whatCannotWorkIsRefusedWithTheNameOfTheSetting() {
        assertRefused("statementTimeout", () -> DEFAULTS.withStatementTimeout(Duration.ZERO));
        assertRefused("statementTimeout", () -> DEFAULTS.withStatementTimeout(Duration.ofHours(2)));
        assertRefused("statementTimeout", () -> DEFAULTS.withStatementTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
        assertRefused("statementTimeout", () -> DEFAULTS.withStatementTimeout(Duration.ofSeconds(Long.MIN_VALUE)));
        assertRefused("retention", () -> DEFAULTS.withRetention(Duration.ofMillis(-1)));
        assertRefused("retention", () -> DEFAULTS.withRetention(Duration.ofDays(3651)));
        assertRefused("compressAbove", () -> DEFAULTS.withCompressAbove(-1));
        assertRefused("decidedRetention", () -> DEFAULTS.withDecidedRetention(Duration.ofMillis(-1)));
        assertRefused("inboxRetention", () -> DEFAULTS.withInboxRetention(Duration.ofDays(3651)));
        assertRefused("maxReplays", () -> DEFAULTS.withMaxReplays(-1));
    }

    @Test
    void whatIsAtTheLimitIsAccepted() {
        assertThat(DEFAULTS.withRetention(Duration.ZERO).retention()).isZero();
        assertThat(DEFAULTS.withRetention(Duration.ofDays(3650)).retention()).hasDays(3650);
        assertThat(DEFAULTS.withStatementTimeout(Duration.ofHours(1)).statementTimeout())
                .hasHours(1);
    }

    @Test
    void aNameThatIsRefusedTakesOneLine() {
        assertThatThrownBy(() -> DEFAULTS.withSchema("a\nERROR forged")).hasMessageContaining("a\\nERROR forged");
        assertThatThrownBy(() -> DEFAULTS.withTablePrefix("a\u2028")).hasMessageContaining("a\\u2028");
    }

    private static void assertRefused(String setting, Runnable change) {
        assertThatThrownBy(change::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting + " is ");
    }
}
