package dev.waybill.relay;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.inbox.InboxConfig;
import java.time.Duration;

/** Configurations of relays and consumers: refused with a reason, or a relay works with them. */
public final class RelayConfigTarget implements FuzzTarget {

    @Override
    public void check(Input input) {
        try {
            RetryPolicy retry = new RetryPolicy(input.integer(), input.duration(), input.duration());
            RelayProbe.check(retry);
            // The share of one shard; clocks of relays begin at 0.
            checkThrottle(Math.max(1, input.integer()) / 64.0, input.number() >>> 2);
            InboxConfig inbox = new InboxConfig(retry, input.duration(), input.duration());
            // As long as a relay of a siding waits for a handler.
            RelayProbe.check(RelayConfig.defaults()
                    .withDeliveryTimeout(inbox.lease().multipliedBy(2).plus(Duration.ofMinutes(5))));
            RelayProbe.check(new RelayConfig(
                    input.duration(),
                    input.duration(),
                    input.duration(),
                    input.integer(),
                    input.integer(),
                    input.number(),
                    input.duration(),
                    input.duration(),
                    retry,
                    input.duration()));
        } catch (IllegalArgumentException e) {
            Expect.refusal(e);
        }
    }

    private static void checkThrottle(double perSecond, long now) {
        Throttle throttle = new Throttle();
        int taken = 0;
        while (throttle.tryTake(now, perSecond) && taken <= perSecond + 1) {
            taken++;
        }
        Expect.that(taken <= Math.max(1, perSecond * 0.1) + 1, "A burst of " + taken + " at " + perSecond);
        long next = throttle.nextAt(now, perSecond);
        Expect.that(next - now >= 0 && next - now <= 64_000_000_000L, "The next one in " + (next - now) + " ns");
    }
}
