package dev.waybill.server.ops;

import dev.waybill.operations.Located;
import dev.waybill.store.Entry;

/** What an operator can do about an event, by where it is. */
final class NextStep {

    private NextStep() {}

    static String place(Located located) {
        return switch (located.place()) {
            case PENDING -> "pending: it waits for its turn";
            case IN_FLIGHT -> "in flight: sent, not yet answered";
            case DELAYED -> "delayed: not due yet";
            case RETRYING -> "retrying: a delivery failed, the next one is scheduled";
            case WAITING -> "waiting: its key is parked or paused";
            case DEAD -> "a dead letter";
            case SKIPPED -> "a dead letter that was skipped";
            case DISCARDED -> "discarded";
            case DELIVERED -> "delivered";
        };
    }

    static String of(Located located) {
        Entry entry = located.entry();
        long sequence = entry.sequence();
        return switch (located.place()) {
            case PENDING ->
                located.owner() == null
                        ? "no relay owns its shard: waybill ops status"
                        : "nothing, it is next; if it stays, the destination is slow, down or paused: waybill ops status";
            case IN_FLIGHT -> "nothing, the answer is awaited";
            case DELAYED -> "nothing, or: waybill ops cancel " + entry.event().id();
            case RETRYING -> "mend the destination, the relay tries it again by itself";
            case WAITING -> "waybill ops keys list shows what its key waits for";
            case DEAD, SKIPPED ->
                "waybill ops dead show " + sequence + ", then: dead redrive, dead edit or dead discard " + sequence;
            case DISCARDED -> "nothing, it is removed some days after the decision: waybill ops audit";
            case DELIVERED ->
                "nothing; to send it again: waybill ops replay start --help"
                        + (entry.replay() > 0 ? " (this is a copy of replay " + entry.replay() + ")" : "");
        };
    }
}
