package dev.waybill.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.transport.NonRetryableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The examples of docs/resilience.md: they compile, they work, and the page shows this very text. */
class ResilienceExampleTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Payments payments = new Payments();

    @Test
    void theExamplesOfThePageWork() throws Exception {
        // create
        ResilienceConfig config = ResilienceConfig.defaults()
                .withRetry(RetryConfig.defaults().withMaxAttempts(4))
                .withInstance(
                        "payment-processing",
                        InstanceConfig.none()
                                .withBreaker(BreakerOverrides.none()
                                        .withFailureRateThreshold(60)
                                        .withOpenTime(Duration.ofSeconds(15)))
                                .withRetry(RetryOverrides.none().withFirstWait(Duration.ofSeconds(1))));
        Resilience resilience = ResilientOperations.create(config, registry);
        // end
        assertThat(config.retryOf("payment-processing").maxAttempts()).isEqualTo(4);

        // call
        String receipt = resilience.execute("payment-processing", () -> payments.charge("o-1"));
        resilience.executeRunnable("payment-refund", () -> payments.refund("o-1"));
        CompletableFuture<String> later =
                resilience.executeAsync("payment-processing", () -> payments.chargeAsync("o-2"));
        // end
        assertThat(receipt).isEqualTo("receipt of o-1");
        assertThat(later.join()).isEqualTo("receipt of o-2");

        // consumer
        HandlerGuard guard = resilience.guard();
        RetryPolicy retries = resilience.retryPolicy("mailer");
        // end
        assertThat(retries.maxAttempts()).isEqualTo(4);
        guard.run("mailer", () -> payments.refund("o-2"));

        assertThat(order(resilience, "broke")).isEqualTo("declined");
        for (int call = 0; call < 5; call++) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> guard.run("down", () -> {
                        throw new IllegalStateException("down");
                    }));
        }
        assertThatExceptionOfType(DeferredException.class).isThrownBy(() -> guard.run("down", () -> {}));
        resilience.close();
    }

    private String order(ResilientOperations resilience, String order) {
        // fail
        try {
            return resilience.execute("payment-processing", () -> payments.charge(order));
        } catch (PaymentDeclinedException e) {
            return "declined";
        } catch (CircuitOpenException e) {
            return "later, in " + e.retryAfter();
        }
        // end
    }

    // exception
    static class PaymentDeclinedException extends RuntimeException implements NonRetryableException {
        // end
        private static final long serialVersionUID = 1L;
    }

    @Test
    void thePageShowsTheseExamples() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("resilience.md");
        String source = Files.readString(Path.of("src/test/java/dev/waybill/resilience/ResilienceExampleTest.java"));

        assertThat(Files.readString(page))
                .contains(
                        example(source, "create"),
                        example(source, "call"),
                        example(source, "consumer"),
                        example(source, "fail"),
                        example(source, "exception"));
    }

    private static String example(String source, String name) {
        int start = source.indexOf("// " + name + "\n") + ("// " + name + "\n").length();
        return source.substring(start, source.indexOf("// end\n", start))
                .stripIndent()
                .strip();
    }

    private static final class Payments {
        String charge(String order) {
            if (order.equals("broke")) {
                throw new PaymentDeclinedException();
            }
            return "receipt of " + order;
        }

        CompletableFuture<String> chargeAsync(String order) {
            return CompletableFuture.supplyAsync(() -> charge(order));
        }

        void refund(String order) {
            assertThat(order).isNotBlank();
        }
    }
}
