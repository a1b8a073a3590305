package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.InboxConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RelayConfigTest {
    private static final Duration ETERNITY = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** A relay counts in nanoseconds: a time that does not fit would end its thread again and again. */
    @Test
    void aTimeThatNoClockCouldMeasureIsRefused() {
        List<UnaryOperator<RelayConfig>> changes = List.of(
                config -> config.withLease(ETERNITY),
                config -> config.withPollInterval(ETERNITY),
                config -> config.withPollInterval(LONGEST.plusNanos(1)),
                config -> config.withDeliveryTimeout(ETERNITY),
                config -> config.withSettleDelay(ETERNITY),
                config -> config.withRescanInterval(ETERNITY),
                config -> config.withProbe(Duration.ofMillis(1), ETERNITY));
        for (UnaryOperator<RelayConfig> change : changes) {
            assertThatThrownBy(() -> change.apply(RelayConfig.defaults())).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(RelayConfig.defaults()
                        .withLease(LONGEST)
                        .withPollInterval(LONGEST)
                        .renewInterval())
                .isLessThan(LONGEST);
    }

    @Test
    void aRenewalThatIsTooSeldomIsRefusedHoweverSeldom() {
        RelayConfig config = RelayConfig.defaults();
        assertThatThrownBy(() -> new RelayConfig(
                        config.lease(),
                        ETERNITY,
                        config.pollInterval(),
                        config.batchSize(),
                        config.window(),
                        config.windowBytes(),
                        config.deliveryTimeout(),
                        config.settleDelay(),
                        config.probe(),
                        config.rescanInterval()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewInterval");
    }

    @Test
    void aLeaseOfAHandlerHasAnEndThatARelayCanWaitFor() {
        assertThat(InboxConfig.defaults().withLease(Duration.ofDays(365)).lease())
                .hasDays(365);
        assertThatThrownBy(() -> InboxConfig.defaults().withLease(Duration.ofDays(366)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease");
        assertThatThrownBy(() -> InboxConfig.defaults().withLease(ETERNITY))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
