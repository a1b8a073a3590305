package dev.waybill.transport.kafka;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The signs of life of one producer and its cluster: whether the cluster fell silent, and whether the producer is dead.
 * Thread-safe, and without a lock: the sender thread and the producer's own thread both come here for every record.
 *
 * <p>A record that timed out says nothing about the reason. If nothing at all was acknowledged for some time while it was
 * waiting, the cluster was away; it may be back by the time that anybody asks it.
 */
final class Pulse {
    /** A healthy cluster acknowledges within milliseconds. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final long silence;
    private final long timeout;
    private final AtomicLong outstanding = new AtomicLong();
    // Two threads may write these at a time; both write what is now, give or take a moment.
    private volatile long lastBeat;
    private volatile long lastAnswer;
    private volatile long silentUntil;
    private volatile boolean wasSilent;

    /** Half of a short time-out is silence enough. */
    Pulse(Duration deliveryTimeout) {
        timeout = deliveryTimeout.toNanos();
        silence = Math.min(SILENCE.toNanos(), timeout / 2);
    }

    /** A record is on its way. */
    void sent(long now) {
        if (outstanding.get() == 0) {
            // Nobody was waiting before: that was no silence.
            lastBeat = now;
            lastAnswer = now;
        }
        outstanding.incrementAndGet();
    }

    /** A record was acknowledged. */
    void acknowledged(long now) {
        if (now - lastBeat >= silence) {
            silentUntil = now;
            wasSilent = true;
        }
        lastBeat = now;
        lastAnswer = now;
        outstanding.decrementAndGet();
    }

    /** A record failed. */
    void failed(long now) {
        lastAnswer = now;
        outstanding.decrementAndGet();
    }

    /** Whether the cluster is silent now or was at some time since then. */
    boolean wasSilentSince(long since, long now) {
        return now - lastBeat >= silence || (wasSilent && silentUntil - since > 0);
    }

    /**
     * Whether the producer is dead. One that lives answers every record within its time-out, one way or the other; only an
     * error that ended its thread keeps it from that.
     */
    boolean isDead(long now) {
        return outstanding.get() > 0 && now - lastAnswer > 2 * timeout;
    }
}
