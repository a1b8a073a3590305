package dev.waybill.spring.actuate;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.event.InvalidEventException;
import dev.waybill.store.Shards;
import dev.waybill.store.StoreException;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The outboxes of the application at {@code /actuator/waybill}: looking, and deciding where that is allowed. Thread-safe.
 *
 * <p>What goes wrong is answered in words, because Spring Boot hides the messages of exceptions.
 */
// The annotation of Spring and not that of JSpecify: both generations know by it what a request may leave out.
@Endpoint(id = "waybill")
public final class WaybillEndpoint {
    private static final String DEAD_LETTERS = "dead-letters";
    private static final String DESTINATIONS = "destinations";
    private static final String SHARDS = "shards";
    private static final int MANY = 1000;
    private static final int SOME = 50;

    private final Supplier<List<WatchedOutbox>> outboxes;
    private final boolean writable;

    /**
     * Makes the endpoint.
     *
     * @param outboxes asked each time: the siding is there as soon as there are handlers
     * @param writable whether contents of events are shown and decisions taken
     */
    public WaybillEndpoint(Supplier<List<WatchedOutbox>> outboxes, boolean writable) {
        this.outboxes = outboxes;
        this.writable = writable;
    }

    /** What goes wrong, in words. */
    record Problem(String problem) {}

    /** All outboxes by name. */
    @ReadOperation
    public WebEndpointResponse<Object> all() {
        return answer(() -> {
            Map<String, Object> views = new LinkedHashMap<>();
            outboxes.get().forEach(outbox -> views.put(outbox.name(), view(outbox)));
            return Map.of("writable", writable, "outboxes", views);
        });
    }

    /** One outbox. */
    @ReadOperation
    public WebEndpointResponse<Object> one(@Selector String outbox) {
        return answer(() -> view(outbox(outbox)));
    }

    /**
     * Its {@code shards} with their owners, or its {@code dead-letters}, by sequence: those that something can still be done
     * about, unless a state is given.
     */
    @ReadOperation
    public WebEndpointResponse<Object> list(
            @Selector String outbox,
            @Selector String section,
            @Nullable String destination,
            @Nullable String key,
            @Nullable String type,
            @Nullable String reason,
            @Nullable String state,
            @Nullable Long after,
            @Nullable Integer limit) {
        return answer(() -> {
            requireSection(section, DEAD_LETTERS, SHARDS);
            if (section.equals(SHARDS)) {
                return shards(outbox(outbox));
            }
            DeadLetterFilter filter = filter(destination, key, type, reason, state);
            int most = Math.min(MANY, Math.max(1, limit == null ? SOME : limit));
            return Map.of(
                    "count",
                    outbox(outbox).deadLetters().count(filter),
                    "deadLetters",
                    outbox(outbox).deadLetters().list(filter, after == null ? Long.MIN_VALUE : after, most).stream()
                            .map(LetterView::brief)
                            .toList());
        });
    }

    /** One dead letter; with its payload and headers if that is asked for and allowed. */
    @ReadOperation
    public WebEndpointResponse<Object> deadLetter(
            @Selector String outbox, @Selector String section, @Selector long sequence, @Nullable Boolean content) {
        return answer(() -> {
            requireSection(section, DEAD_LETTERS);
            DeadLetter letter = outbox(outbox)
                    .deadLetters()
                    .find(sequence)
                    .orElseThrow(() ->
                            new RefusedException(404, "There is no dead letter " + sequence + " in " + outbox + "."));
            if (content == null || !content) {
                return LetterView.full(letter);
            }
            requireWritable("Contents of events may be personal and are not shown");
            return LetterView.withContent(letter);
        });
    }

    /** Decides about one dead letter: {@code redrive} or {@code discard}. */
    @WriteOperation
    public WebEndpointResponse<Object> decide(
            SecurityContext security,
            @Selector String outbox,
            @Selector String section,
            @Selector long sequence,
            @Nullable String action,
            @Nullable String why,
            @Nullable String by) {
        return answer(() -> {
            requireWritable("Nothing is decided here");
            requireSection(section, DEAD_LETTERS);
            return Decisions.letter(outbox(outbox), sequence, required("action", action), signature(security, why, by));
        });
    }

    /**
     * Decides about dead letters of a destination ({@code redrive}, {@code discard}), or holds a destination back
     * ({@code pause}, {@code resume}). The destination is no part of the path, because it may have slashes.
     */
    @WriteOperation
    public WebEndpointResponse<Object> decideAll(
            SecurityContext security,
            @Selector String outbox,
            @Selector String section,
            @Nullable String destination,
            @Nullable String key,
            @Nullable String type,
            @Nullable String reason,
            @Nullable String action,
            @Nullable String why,
            @Nullable String by) {
        return answer(() -> {
            requireWritable("Nothing is decided here");
            requireSection(section, DEAD_LETTERS, DESTINATIONS);
            WatchedOutbox where = outbox(outbox);
            Signature signature = signature(security, why, by);
            String what = required("action", action);
            return section.equals(DESTINATIONS)
                    ? Decisions.destination(where, required("destination", destination), what, signature)
                    : Decisions.letters(where, filter(destination, key, type, reason, null), what, signature);
        });
    }

    private static OutboxView view(WatchedOutbox outbox) {
        return OutboxView.of(
                outbox.operations().statistics(), outbox.operations().pauses(), outbox.relayStatus());
    }

    /** Which relay owns which shard; those that nobody owns are missing. */
    private static Map<String, Object> shards(WatchedOutbox outbox) {
        Map<Integer, String> owners = new TreeMap<>();
        outbox.operations().shardOwners().forEach((shard, relay) -> owners.put(shard, relay.toString()));
        return Map.of("shards", Shards.COUNT, "owners", owners);
    }

    private static DeadLetterFilter filter(
            @Nullable String destination,
            @Nullable String key,
            @Nullable String type,
            @Nullable String reason,
            @Nullable String state) {
        return DeadLetterFilter.all()
                .withDestination(destination)
                .withKey(key)
                .withType(type)
                .withReason(reason)
                .withState(state == null ? null : state(state));
    }

    private static DeadLetter.State state(String name) {
        return Stream.of(DeadLetter.State.values())
                .filter(state -> state.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        400, "There is no state " + name + "; there is " + List.of(DeadLetter.State.values()) + "."));
    }

    private WatchedOutbox outbox(String name) {
        List<WatchedOutbox> all = outboxes.get();
        return all.stream()
                .filter(outbox -> outbox.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        404,
                        "There is no outbox " + name + "; there is "
                                + all.stream().map(WatchedOutbox::name).toList() + "."));
    }

    private static void requireSection(String section, String... known) {
        if (!List.of(known).contains(section)) {
            throw new RefusedException(404, "There is nothing at " + section + "; there is " + List.of(known) + ".");
        }
    }

    private void requireWritable(String refusal) {
        if (!writable) {
            throw new RefusedException(403, refusal + ". To change that: waybill.endpoint.writable=true");
        }
    }

    private static String required(String name, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new RefusedException(400, "The request needs \"" + name + "\".");
        }
        return value;
    }

    /** Who is logged in cannot sign for somebody else. */
    private static Signature signature(SecurityContext security, @Nullable String why, @Nullable String by) {
        Principal principal = security.getPrincipal();
        String who = principal == null ? required("by", by) : principal.getName();
        return Signature.of(who, required("why", why));
    }

    private static WebEndpointResponse<Object> answer(Supplier<Object> work) {
        try {
            return new WebEndpointResponse<>(work.get());
        } catch (RefusedException e) {
            return problem(e.status(), e);
        } catch (ReplayLimitException e) {
            return problem(409, e);
        } catch (StoreException e) {
            return problem(503, e);
        } catch (IllegalArgumentException | InvalidEventException e) {
            return problem(400, e);
        }
    }

    private static WebEndpointResponse<Object> problem(int status, RuntimeException reason) {
        return new WebEndpointResponse<>(new Problem(String.valueOf(reason.getMessage())), status);
    }
}
