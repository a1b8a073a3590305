package dev.waybill.replay;

import dev.waybill.audit.Signature;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Replays of what is in the history. Thread-safe; every change is atomic, audited and safe to repeat.
 *
 * <p>A replay puts copies of delivered entries into the outbox: the same events with the same ids, in the order of their
 * delivery, marked with the replay's generation. Copies are not replayed again. The relays carry it on, at its rate:
 * how far it has come is written in the same transaction as the copies, so that whoever goes on after a crash neither
 * skips nor repeats one. Deliveries of the last seconds come a little later, when nothing before them can be missing.
 */
public interface Replays {

    /** How many entries a replay would send now; a dry run. */
    long count(ReplayFilter filter);

    /**
     * Starts a replay. The end of its span is moved back to now if it is in the future.
     *
     * @param request if it was started before, that one is answered and nothing changes
     */
    Replay start(UUID request, ReplayFilter filter, int perSecond, Signature signature);

    Optional<Replay> find(int generation);

    /** The newest first. */
    List<Replay> list(int limit);

    /** Stops a running replay for a while. */
    boolean pause(int generation, Signature signature);

    boolean resume(int generation, Signature signature);

    /** Ends a replay; what it put into the outbox stays there. */
    boolean cancel(int generation, Signature signature);
}
