package dev.waybill.resilience;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.DeferredException;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.NonRetryableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Operations on a clock that stands still, with retries that hardly wait. */
final class Rig implements AutoCloseable {
    static final String NAME = "payment";
    static final ResilienceConfig CONFIG = ResilienceConfig.defaults()
            .withRetry(RetryConfig.defaults().withWaits(Duration.ofMillis(1), Duration.ofMillis(2)));

    final ManualClock clock = new ManualClock();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final ProtectedOperations operations;

    Rig() {
        this(CONFIG);
    }

    Rig(ResilienceConfig config) {
        operations = new ProtectedOperations(config, meters, clock);
    }

    /** With retries that are not over before the test is. */
    static Rig withLongWaits() {
        return new Rig(CONFIG.withRetry(RetryConfig.defaults().withWaits(Duration.ofHours(1), Duration.ofHours(2))));
    }

    /** Fails five calls, the least that a breaker judges by. */
    void openBreaker() {
        for (int call = 0; call < 5; call++) {
            assertThatThrownBy(() -> operations.guard().run(NAME, () -> {
                        throw new IllegalStateException("down");
                    }))
                    .isInstanceOf(call < 4 ? IllegalStateException.class : DeferredException.class);
        }
    }

    boolean is(String state) {
        return meters.get("resilience4j.circuitbreaker.state")
                        .tags("name", NAME, "state", state)
                        .gauge()
                        .value()
                == 1;
    }

    /** Calls that the breaker has counted: successful, failed, ignored. */
    long counted(String kind) {
        return meters.get("resilience4j.circuitbreaker.calls")
                .tags("name", NAME, "kind", kind)
                .timer()
                .count();
    }

    /** Calls that were retried or not, and how they ended. */
    double retried(String kind) {
        return meters.get("resilience4j.retry.calls")
                .tags("name", NAME, "kind", kind)
                .functionCounter()
                .count();
    }

    @Override
    public void close() {
        operations.close();
    }

    static final class Declined extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        Declined() {
            super("card declined");
        }
    }
}
