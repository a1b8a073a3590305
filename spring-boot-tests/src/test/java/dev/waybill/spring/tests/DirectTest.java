package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.spring.outbox.DirectRoutes;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.NoTransactionException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Applications that want no outbox. */
@ExtendWith(OutputCaptureExtension.class)
class DirectTest {

    /** Answers at once: events of type "lost" fail, those of type "broken" with an exception. */
    static final class Recorder implements Transport {
        final List<String> sent = new ArrayList<>();
        final List<Consumer<DeliveryResult>> open = new ArrayList<>();
        boolean silent;

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                Event event = delivery.event();
                sent.add(event.payload().utf8());
                if (silent) {
                    open.add(result -> listener.onResult(delivery, result));
                } else if (event.type().equals("broken")) {
                    throw new IllegalStateException("broken");
                } else {
                    listener.onResult(
                            delivery,
                            event.type().equals("lost") ? DeliveryResult.rejected("no") : DeliveryResult.delivered());
                }
            }
        }

        @Override
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Direct {
        @Bean
        Recorder recorder() {
            return new Recorder();
        }

        @Bean
        DirectRoutes routes(Recorder recorder) {
            return destination -> recorder;
        }

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    private static Event event(String type, String key, String text) {
        return Event.to("orders").type(type).key(key).json(text).build();
    }

    private static void run(BiConsumer<LightApp, Recorder> test) {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, Direct.class)
                .withPropertyValues("test.url=" + Databases.h2(), "waybill.outbox.enabled=false")
                .run(context -> {
                    assertThat(context.getStartupFailure()).isNull();
                    test.accept(new LightApp(context), context.getBean(Recorder.class));
                });
    }

    @Test
    @Setting("waybill.outbox.enabled")
    void withoutAnOutboxEventsAreSentStraightAfterTheCommit(CapturedOutput output) {
        run((app, recorder) -> {
            app.inTransaction(() -> {
                app.outbox().publish(event("t", "k", "1"));
                app.outbox().publish(event("t", "k", "2"));
                assertThat(recorder.sent).isEmpty();
            });
            assertThat(recorder.sent).containsExactly("1", "2");
            assertThatThrownBy(() -> app.inTransaction(() -> {
                        app.outbox().publish(event("t", "k", "never"));
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessage("rolled back");
            assertThatThrownBy(() -> app.outbox().publish(event("t", "k", "never")))
                    .isInstanceOf(NoTransactionException.class);
            assertThat(recorder.sent).containsExactly("1", "2");
            assertThat(app.context().getBeansOfType(OutboxUnit.class)).isEmpty();
            assertThat(app.jdbc()
                            .queryForList(
                                    "SELECT 1 FROM information_schema.tables WHERE table_name = 'WAYBILL_OUTBOX'"))
                    .isEmpty();
        });
        assertThat(output).contains("waybill.outbox.enabled=false", "loses them");
    }

    @Test
    void whatIsLostIsLoggedWithoutItsPayloadAndCounted(CapturedOutput output) {
        run((app, recorder) -> {
            app.inTransaction(() -> {
                app.outbox().publish(event("lost", "k", "secret 1"));
                app.outbox().publish(event("broken", "k", "secret 2"));
                app.outbox().publish(event("t", "k", "3"));
            });
            assertThat(recorder.sent).containsExactly("secret 1", "secret 2", "3");
            assertThat(app.context()
                            .getBean(MeterRegistry.class)
                            .get("outbox.direct.lost")
                            .tag("destination", "orders")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        });
        assertThat(output).contains("is lost, because there is no outbox").doesNotContain("secret");
    }

    @Test
    void theNextEventOfAKeyWaitsForTheResultOfTheOneBefore() {
        run((app, recorder) -> {
            recorder.silent = true;
            app.inTransaction(() -> {
                app.outbox().publish(event("t", "a", "a1"));
                app.outbox().publish(event("t", "a", "a2"));
                app.outbox().publish(event("t", "b", "b1"));
            });
            assertThat(recorder.sent).containsExactly("a1", "b1");
            recorder.open.get(0).accept(DeliveryResult.delivered());
            recorder.open.get(0).accept(DeliveryResult.delivered());
            assertThat(recorder.sent).containsExactly("a1", "b1", "a2");
        });
    }

    @Test
    void anEventForLaterIsRefused() {
        run((app, recorder) -> assertThatThrownBy(() -> app.publish(Event.to("orders")
                        .type("t")
                        .availableIn(Duration.ofHours(1))
                        .build()))
                .hasMessageContaining("waybill.outbox.enabled=true"));
    }
}
