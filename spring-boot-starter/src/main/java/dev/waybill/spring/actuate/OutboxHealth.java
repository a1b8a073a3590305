package dev.waybill.spring.actuate;

import dev.waybill.operations.Statistics;
import dev.waybill.spring.actuate.HealthReport.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The health of all outboxes, whatever the generation of Spring Boot. Thread-safe; answers within its patience. */
public final class OutboxHealth {
    private final Supplier<List<WatchedOutbox>> outboxes;
    private final HealthLimits limits;
    private final LongSupplier nanoTime;
    private final Map<String, OutboxCheck> checks = new ConcurrentHashMap<>();

    /**
     * Looks at outboxes.
     *
     * @param outboxes asked each time: the siding is there as soon as there are handlers
     */
    public OutboxHealth(Supplier<List<WatchedOutbox>> outboxes, HealthLimits limits) {
        this(outboxes, limits, System::nanoTime);
    }

    OutboxHealth(Supplier<List<WatchedOutbox>> outboxes, HealthLimits limits, LongSupplier nanoTime) {
        this.outboxes = outboxes;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** Never throws because of a store: what goes wrong is the answer. */
    public HealthReport check() {
        long deadline = System.nanoTime() + limits.patience().toNanos();
        // All at a time: a store that does not answer must not cost the others their time.
        Map<OutboxCheck, CompletableFuture<Statistics>> questions = new LinkedHashMap<>();
        for (WatchedOutbox outbox : outboxes.get()) {
            OutboxCheck check =
                    checks.computeIfAbsent(outbox.name(), name -> new OutboxCheck(outbox, limits, nanoTime));
            questions.put(check, check.ask());
        }
        Status status = Status.UP;
        Map<String, Object> details = new LinkedHashMap<>();
        for (Map.Entry<OutboxCheck, CompletableFuture<Statistics>> question : questions.entrySet()) {
            HealthReport one = question.getKey().await(question.getValue(), deadline - System.nanoTime());
            status = status.and(one.status());
            details.put(question.getKey().name(), one.details());
        }
        return new HealthReport(status, details);
    }
}
