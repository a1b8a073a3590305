package dev.waybill.spring.actuate;

import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.relay.RelayStatus;
import dev.waybill.spring.actuate.HealthReport.Status;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of one outbox. Thread-safe.
 *
 * <p>The store is asked by one thread at a time, however many ask for the health: counting a large backlog is work, and a
 * store that hangs would take a thread with every question.
 */
final class OutboxCheck {
    /** So long an answer is good for others who ask. */
    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

    private final WatchedOutbox outbox;
    private final HealthLimits limits;
    private final LongSupplier nanoTime;
    private @Nullable CompletableFuture<Statistics> question;
    private long askedAt;
    private @Nullable Long incompleteSince;

    OutboxCheck(WatchedOutbox outbox, HealthLimits limits, LongSupplier nanoTime) {
        this.outbox = outbox;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    String name() {
        return outbox.name();
    }

    /** Asks the store, unless somebody has just done so. */
    synchronized CompletableFuture<Statistics> ask() {
        CompletableFuture<Statistics> last = question;
        if (last != null && (!last.isDone() || nanoTime.getAsLong() - askedAt < FRESH)) {
            return last;
        }
        CompletableFuture<Statistics> next = new CompletableFuture<>();
        question = next;
        askedAt = nanoTime.getAsLong();
        Thread thread = new Thread(() -> read(next), "waybill-health-" + name());
        thread.setDaemon(true);
        thread.start();
        return next;
    }

    private void read(CompletableFuture<Statistics> answer) {
        try {
            answer.complete(outbox.administration().operations().statistics());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    HealthReport await(CompletableFuture<Statistics> answer, long patienceNanos) {
        try {
            return report(answer.get(Math.max(0, patienceNanos), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return down("The store has not answered within " + Words.duration(limits.patience()));
        } catch (ExecutionException e) {
            return down("The store does not answer: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return down("Interrupted while the store was asked");
        }
    }

    private HealthReport down(String reason) {
        return new HealthReport(Status.DOWN, Map.of("problems", List.of(reason)));
    }

    private HealthReport report(Statistics statistics) {
        List<RelayStatus> relays = outbox.relayStatus();
        Set<String> paused = paused(statistics, relays);
        List<String> problems = new ArrayList<>();
        addShards(problems, statistics);
        statistics.destinations().stream()
                .filter(one -> !paused.contains(one.destination()))
                .forEach(one -> addDestination(problems, one));
        if (limits.deadLetters() >= 0 && statistics.dead() > limits.deadLetters()) {
            problems.add(statistics.dead() + " dead letters need a decision; " + limits.deadLetters() + " may");
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("problems", problems);
        details.put("pending", statistics.pending());
        details.put("oldestAge", statistics.oldestAge().map(Words::duration).orElse("-"));
        details.put("deadLetters", statistics.dead());
        details.put("parkedKeys", statistics.parkedKeys());
        details.put("pausedDestinations", List.copyOf(paused));
        details.put("unavailableDestinations", unavailable(relays, paused));
        details.put("liveRelays", statistics.liveRelays());
        details.put("ownedShards", statistics.ownedShards() + " of " + Shards.COUNT);
        details.put("relaysHere", relays.stream().map(OutboxCheck::relay).toList());
        return new HealthReport(problems.isEmpty() ? Status.UP : Status.DEGRADED, details);
    }

    private void addDestination(List<String> problems, OfDestination one) {
        Duration age = one.oldestAge().orElse(Duration.ZERO);
        if (!limits.oldestAge().isZero() && age.compareTo(limits.oldestAge()) > 0) {
            problems.add("The oldest event for " + one.destination() + " has been waiting for " + Words.duration(age)
                    + "; " + Words.duration(limits.oldestAge()) + " is allowed");
        }
    }

    private void addShards(List<String> problems, Statistics statistics) {
        if (!isIncompleteForLong(statistics.ownedShards() < Shards.COUNT)) {
            return;
        }
        problems.add(
                statistics.liveRelays() == 0
                        ? "No relay is running: nothing is delivered"
                        : "Only " + statistics.ownedShards() + " of " + Shards.COUNT
                                + " shards have a relay: a part of the events is not delivered");
    }

    /** Shards change hands when relays come and go; only if that takes too long it is worth a word. */
    private synchronized boolean isIncompleteForLong(boolean incomplete) {
        long now = nanoTime.getAsLong();
        if (!incomplete) {
            incompleteSince = null;
            return false;
        }
        if (incompleteSince == null) {
            incompleteSince = now;
        }
        return now - incompleteSince >= limits.handover().toNanos();
    }

    /** What somebody holds back, by hand or by the settings, is late by decision. */
    private static Set<String> paused(Statistics statistics, List<RelayStatus> relays) {
        Set<String> paused = new TreeSet<>();
        statistics.destinations().stream()
                .filter(OfDestination::paused)
                .map(OfDestination::destination)
                .forEach(paused::add);
        relays.forEach(relay -> relay.pausedDestinations().forEach((destination, reason) -> {
            if (reason.equals(RelayStatus.PAUSED_BY_ROUTE)) {
                paused.add(destination);
            }
        }));
        return paused;
    }

    /** Those that relays of this process find down, and why. */
    private static Map<String, String> unavailable(List<RelayStatus> relays, Set<String> paused) {
        Map<String, String> unavailable = new TreeMap<>();
        relays.forEach(relay -> unavailable.putAll(relay.pausedDestinations()));
        unavailable.keySet().removeAll(paused);
        return unavailable;
    }

    private static Map<String, Object> relay(RelayStatus relay) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", relay.relay().toString());
        shown.put("ownedShards", relay.ownedShards());
        shown.put("leaseLosses", relay.leaseLosses());
        shown.put("inFlight", relay.inFlight());
        return shown;
    }
}
