package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutboxConfigTest {

    @Test
    void eachSettingIsChangedOnItsOwn() {
        OutboxConfig config = OutboxConfig.defaults()
                .withMaxPayloadBytes(1)
                .withMaxHeaders(2)
                .withMaxHeaderBytes(3)
                .withDestinations(Set.of("a"))
                .withStrictDestinations(Set.of("b"))
                .withLimitOf("kafka", () -> 4)
                .withBacklog(BacklogLimit.reject(5));

        assertThat(config)
                .isEqualTo(new OutboxConfig(
                        1, 2, 3, Set.of("a"), Set.of("b"), Map.of("kafka", 4), BacklogLimit.reject(5)));
    }

    @Test
    void limitsMustBePositiveAndTheMessageNamesTheSetting() {
        assertThatThrownBy(() -> OutboxConfig.defaults().withMaxPayloadBytes(0))
                .hasMessageContaining("maxPayloadBytes");
        assertThatThrownBy(() -> OutboxConfig.defaults().withMaxHeaders(-1)).hasMessageContaining("maxHeaders");
        assertThatThrownBy(() -> OutboxConfig.defaults().withMaxHeaderBytes(0)).hasMessageContaining("maxHeaderBytes");
    }

    @Test
    void laterChangesOfASetDoNotReachTheConfiguration() {
        Set<String> destinations = new HashSet<>(Set.of("a"));
        OutboxConfig config = OutboxConfig.defaults().withDestinations(destinations);

        destinations.add("b");

        assertThat(config.destinations()).containsExactly("a");
    }
}
