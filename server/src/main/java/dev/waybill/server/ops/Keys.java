package dev.waybill.server.ops;

import dev.waybill.deadletter.Parked;
import dev.waybill.server.cli.Printable;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.util.Optional;

/** Keys that do not go on, and how to say so. */
final class Keys {
    /** The longest waiting first; what is beyond these is not looked at by name. */
    private static final int MOST = 10_000;

    private Keys() {}

    static Optional<Parked> find(Desk desk, OrderKey key) {
        return desk.deadLetters().parked(MOST).stream()
                .filter(one -> one.parkedKey().key().equals(key))
                .findFirst();
    }

    static String state(Parked key) {
        if (key.parkedKey().state() == ParkedKey.State.RELEASING) {
            return "releasing";
        }
        return key.deadSequence().isPresent() ? "parked" : "paused";
    }

    /** What a key is doing, for somebody who wanted something else from it. */
    static String words(Desk desk, OrderKey key) {
        return Printable.of(key.toString())
                + find(desk, key)
                        .map(one -> " is " + state(one)
                                + (one.deadSequence().isPresent()
                                        ? " behind dead letter "
                                                + one.deadSequence().getAsLong()
                                        : ""))
                        .orElse(" is neither parked nor paused");
    }
}
