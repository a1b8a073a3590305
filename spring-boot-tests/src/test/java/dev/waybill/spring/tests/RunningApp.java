package dev.waybill.spring.tests;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application of a test, with what tests ask of it. */
final class RunningApp implements AutoCloseable {
    private static final Signature TESTER = Signature.of("tester", "it was repaired");

    private final ConfigurableApplicationContext context;

    private RunningApp(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Runs on a database, without a web server and with little patience, unless the settings say otherwise. */
    static RunningApp on(String url, Class<?> application, String... settings) {
        Map<String, String> all = new LinkedHashMap<>();
        List<String> usual = List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "spring.datasource.url=" + url,
                "spring.jpa.hibernate.ddl-auto=create",
                "waybill.relay.poll-interval=100ms",
                "waybill.inbox.first-wait=5ms",
                "waybill.inbox.longest-wait=20ms",
                "waybill.retry.first-wait=5ms");
        Stream.concat(usual.stream(), Stream.of(settings))
                .forEach(setting -> all.put(setting.substring(0, setting.indexOf('=')), "--" + setting));
        return new RunningApp(
                new SpringApplicationBuilder(application).run(all.values().toArray(String[]::new)));
    }

    static RunningApp onH2(Class<?> application, String... settings) {
        return on(Databases.h2(), application, settings);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    JdbcTemplate jdbc() {
        return bean(JdbcTemplate.class);
    }

    <T> T inTransaction(Supplier<T> work) {
        T result = new TransactionTemplate(bean(PlatformTransactionManager.class)).execute(status -> work.get());
        if (result == null) {
            throw new IllegalStateException("The work had no result");
        }
        return result;
    }

    UUID publish(Object value) {
        return inTransaction(() -> bean(TypedOutbox.class).publish(value));
    }

    UUID publish(Event event) {
        return inTransaction(() -> bean(TypedOutbox.class).publish(event));
    }

    /** Gives an event to the handlers of the application, past the outbox. */
    DeliveryResult deliver(Event event) {
        CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
        bean(Consumers.class)
                .transport()
                .send(List.of(new Delivery(event, 1, 1, 0, 1)), (delivery, answer) -> result.complete(answer));
        return result.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Those that the outbox could not deliver. */
    List<DeadLetter> undelivered() {
        return list(bean(OutboxUnit.class).store().deadLetters());
    }

    /** Those that consumers could not handle. */
    List<DeadLetter> unhandled() {
        return list(bean(Consumers.class).siding().orElseThrow().deadLetters());
    }

    void redrive(DeadLetter letter) {
        bean(Consumers.class)
                .siding()
                .orElseThrow()
                .deadLetters()
                .redrive(letter.entry().sequence(), TESTER);
    }

    private static List<DeadLetter> list(DeadLetters letters) {
        return letters.list(DeadLetterFilter.all(), 0, 1000);
    }

    @Override
    public void close() {
        context.close();
    }
}
