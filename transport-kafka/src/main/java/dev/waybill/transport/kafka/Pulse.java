package dev.waybill.transport.kafka;

import java.time.Duration;

/**
 * The signs of life of one producer and its cluster: whether the cluster fell silent, and whether the producer is dead.
 * Thread-safe.
 *
 * <p>A record that timed out says nothing about the reason. If nothing at all was acknowledged for some time while it was
 * waiting, the cluster was away; it may be back by the time that anybody asks it.
 */
final class Pulse {
    /** A healthy cluster acknowledges within milliseconds. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final long silence;
    private final long timeout;
    private long outstanding;
    private long lastBeat;
    private long lastAnswer;
    private long silentUntil;
    private boolean wasSilent;

    /** Half of a short time-out is silence enough. */
    Pulse(Duration deliveryTimeout) {
        timeout = deliveryTimeout.toNanos();
        silence = Math.min(SILENCE.toNanos(), timeout / 2);
    }

    /** A record is on its way. */
    synchronized void sent(long now) {
        if (outstanding++ == 0) {
            // Nobody was waiting before: that was no silence.
            lastBeat = now;
            lastAnswer = now;
        }
    }

    /** A record was acknowledged. */
    synchronized void acknowledged(long now) {
        outstanding--;
        if (now - lastBeat >= silence) {
            wasSilent = true;
            silentUntil = now;
        }
        lastBeat = now;
        lastAnswer = now;
    }

    /** A record failed. */
    synchronized void failed(long now) {
        outstanding--;
        lastAnswer = now;
    }

    /** Whether the cluster is silent now or was at some time since then. */
    synchronized boolean wasSilentSince(long since, long now) {
        return now - lastBeat >= silence || (wasSilent && silentUntil - since > 0);
    }

    /**
     * Whether the producer is dead. One that lives answers every record within its time-out, one way or the other; only an
     * error that ended its thread keeps it from that.
     */
    synchronized boolean isDead(long now) {
        return outstanding > 0 && now - lastAnswer > 2 * timeout;
    }
}
