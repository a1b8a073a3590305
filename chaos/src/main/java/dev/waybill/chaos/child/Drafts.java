package dev.waybill.chaos.child;

import static dev.waybill.chaos.plan.Settings.DESTINATIONS;

import dev.waybill.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Thinks up transactions. Used by one thread. */
final class Drafts {
    private static final int OWN_KEYS = 60;
    private static final int SHARED_KEYS = 60;
    private static final int MOST_EVENTS = 5;
    private static final int LONGEST_PAYLOAD = 300;

    private final Random random;
    private final String owner;

    Drafts(long seed, String owner) {
        random = new Random(seed);
        this.owner = owner;
    }

    /**
     * A transaction to be.
     *
     * @param events      what it publishes, in this order
     * @param kept        so many of them stay; those behind are undone by a rollback to a savepoint
     * @param more        what it publishes after that
     * @param rollsBack   whether nothing of it is meant to stay
     * @param pauseMillis how long it stays open before its end, so that others overtake its sequence numbers
     */
    record Draft(List<Event> events, int kept, List<Event> more, boolean rollsBack, int pauseMillis) {
        boolean hasSavepoint() {
            return kept < events.size();
        }

        int committed() {
            return rollsBack ? 0 : kept + more.size();
        }
    }

    Draft next() {
        List<Event> events = events(1 + random.nextInt(MOST_EVENTS));
        boolean savepoint = random.nextInt(100) < 15;
        int kept = savepoint ? random.nextInt(events.size()) : events.size();
        List<Event> more = savepoint ? events(1 + random.nextInt(2)) : List.of();
        int pause = random.nextInt(100) < 5 ? random.nextInt(300) : 0;
        return new Draft(events, kept, more, random.nextInt(100) < 30, pause);
    }

    private List<Event> events(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String filler = "x".repeat(random.nextInt(LONGEST_PAYLOAD));
            Event.Builder event = Event.to(DESTINATIONS.get(random.nextInt(DESTINATIONS.size())))
                    .type(ConsumerRole.EVENT_TYPE)
                    .json("{\"by\": \"" + owner + "\", \"filler\": \"" + filler + "\"}");
            key().ifPresent(event::key);
            events.add(event.build());
        }
        return events;
    }

    /** Most are the thread's own, so that nearly all pairs of a key have an order; some are everybody's, some have none. */
    private Optional<String> key() {
        int dice = random.nextInt(100);
        if (dice < 5) {
            return Optional.empty();
        }
        return Optional.of(
                dice < 25 ? "shared-" + random.nextInt(SHARED_KEYS) : owner + "-" + random.nextInt(OWN_KEYS));
    }
}
