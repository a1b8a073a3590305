package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are meant. */
final class DeadFilterOptions {

    @Option(
            names = {"--destination", "--consumer"},
            order = 10,
            paramLabel = "<name>",
            description = "Only of this destination, which in a consumer's tables is the consumer.")
    @Nullable
    String destination;

    @Option(names = "--key", order = 11, paramLabel = "<key>", description = "Only of this key.")
    @Nullable
    String key;

    @Option(names = "--type", order = 12, paramLabel = "<type>", description = "Only of this event type.")
    @Nullable
    String type;

    @Option(names = "--reason", order = 13, paramLabel = "<text>", description = "Only those with this in the reason.")
    @Nullable
    String reason;

    @Option(
            names = "--state",
            order = 14,
            paramLabel = "<state>",
            description = "pending: nobody has decided; skipped: its key went on without it; replaying: it is tried"
                    + " again; resolved: that worked; discarded.")
    DeadLetter.@Nullable State state;

    @Option(
            names = "--since",
            order = 15,
            paramLabel = "<time>",
            description = "Died at this time or later: 2h (ago), 2026-11-16T08:30, 2026-11-16T08:30:00Z.")
    @Nullable
    Instant since;

    @Option(names = "--until", order = 16, paramLabel = "<time>", description = "Died before this time.")
    @Nullable
    Instant until;

    DeadLetterFilter filter() {
        return DeadLetterFilter.all()
                .withDestination(destination)
                .withKey(key)
                .withType(type)
                .withReason(reason)
                .withState(state)
                .withDiedBetween(since, until);
    }

    /** For decisions by the dozen: what somebody skipped on purpose is meant only if they say so. */
    DeadLetterFilter undecided() {
        return filter().withState(state == null ? DeadLetter.State.PENDING : state);
    }

    boolean isEmpty() {
        return filter().equals(DeadLetterFilter.all());
    }
}
