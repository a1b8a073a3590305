package dev.waybill.inbox;

import dev.waybill.store.Entry;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a consumer checks before it takes the first event. */
final class StartCheck {
    private static final int PAGE = 500;
    private static final int SHOWN = 10;

    private StartCheck() {}

    static void requireRetention(String consumer, Duration retention, Duration redeliveryAge) {
        if (retention.compareTo(redeliveryAge) <= 0) {
            throw new InboxCheckException("The inbox of consumer " + consumer + " remembers events for " + retention
                    + ", but they may be delivered again up to " + redeliveryAge
                    + " after the first time, and would take effect twice. Make the store's inbox retention longer than"
                    + " InboxConfig.redeliveryAge, or that shorter.");
        }
    }

    /** One that is a dead letter because it could not be read is known, and waits for a person. */
    static <T> void requireReadable(String consumer, SidingStore<T> store, Handlers<T> handlers) {
        Map<String, String> problems = new TreeMap<>();
        long unreadable = 0;
        long after = Long.MIN_VALUE;
        List<Entry> page;
        do {
            page = store.stored(consumer, after, PAGE);
            for (Entry entry : page) {
                after = entry.sequence();
                if (handlers.ignores(entry.event().type())) {
                    continue;
                }
                String problem = problemOf(entry, handlers);
                if (problem != null) {
                    unreadable++;
                    String type = entry.event().type() + " v" + entry.event().version();
                    problems.putIfAbsent(type, "the first is sequence " + entry.sequence() + ": " + problem);
                }
            }
        } while (!page.isEmpty());
        if (unreadable > 0) {
            throw new InboxCheckException(unreadable + " events that wait for consumer " + consumer
                    + " can no longer be read: " + shown(problems)
                    + ". Register the missing handler, type or upcaster; or correct or discard those events.");
        }
    }

    private static <T> @Nullable String problemOf(Entry entry, Handlers<T> handlers) {
        try {
            handlers.read(Siding.origin(
                    new Delivery(entry.event(), entry.sequence(), entry.attempts() + 1, entry.replay(), 0)));
            return null;
        } catch (RuntimeException e) {
            String died = entry.lastError();
            boolean known = died != null && died.startsWith(e.getClass().getName());
            return known ? null : e.toString();
        }
    }

    private static String shown(Map<String, String> problems) {
        StringBuilder text = new StringBuilder();
        problems.entrySet().stream()
                .limit(SHOWN)
                .forEach(problem -> text.append(text.isEmpty() ? "" : "; ")
                        .append(problem.getKey())
                        .append(", ")
                        .append(problem.getValue()));
        return problems.size() <= SHOWN ? text.toString() : text + "; and " + (problems.size() - SHOWN) + " more types";
    }
}
