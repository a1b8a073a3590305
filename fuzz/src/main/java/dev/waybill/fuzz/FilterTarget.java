package dev.waybill.fuzz;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.outbox.BacklogLimit;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.replay.ReplayFilter;
import java.time.Instant;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/** What operators look for, and how they sign; and what an outbox is configured with. */
public final class FilterTarget implements FuzzTarget {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    @Override
    public void check(Input input) {
        try {
            switch (input.oneOf(0, 1, 2, 3)) {
                case 0 -> checkDead(input);
                case 1 -> checkReplay(input);
                case 2 -> checkSignature(Signature.of(input.text(), input.text()));
                default -> checkOutbox(input);
            }
        } catch (IllegalArgumentException e) {
            Expect.refusal(e);
        }
    }

    private static void checkDead(Input input) {
        DeadLetterFilter filter = DeadLetterFilter.all()
                .withDestination(input.textOrNull())
                .withKey(input.textOrNull())
                .withReason(input.textOrNull())
                .withDiedBetween(input.time(), input.time());
        checkTime(filter.from());
        checkTime(filter.to());
    }

    private static void checkReplay(Input input) {
        ReplayFilter filter = ReplayFilter.between(input.time(), input.time())
                .withDestination(input.textOrNull())
                .withKey(input.textOrNull());
        checkTime(filter.from());
        checkTime(filter.to());
        Expect.that(filter.from().isBefore(filter.to()), "A replay of nothing");
    }

    private static void checkTime(@Nullable Instant time) {
        Expect.that(
                time == null || (!time.isBefore(EARLIEST) && !time.isAfter(LATEST)),
                "Databases cannot compare with " + time);
    }

    private static void checkSignature(Signature signature) {
        Expect.oneLine(signature.who());
        Expect.that(!signature.who().isBlank(), "A decision of nobody");
        Expect.that(signature.why().length() <= 2000 && signature.why().indexOf(0) < 0, "No trail holds the reason");
    }

    private static void checkOutbox(Input input) {
        OutboxConfig config = OutboxConfig.defaults()
                .withMaxPayloadBytes(input.integer())
                .withMaxHeaders(input.integer())
                .withMaxHeaderBytes(input.integer())
                .withDestinations(new HashSet<>(input.texts()))
                .withBacklog(new BacklogLimit(input.number(), BacklogLimit.Action.REJECT));
        Expect.that(config.maxPayloadBytes() > 0 && config.maxHeaders() > 0, "It takes nothing at all");
    }
}
