package dev.waybill.store.memory;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.replay.Replays;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;

/** Decisions about replays, each under the store's lock. Thread-safe. */
final class MemoryReplays implements Replays {
    private final Tables tables;

    MemoryReplays(Tables tables) {
        this.tables = tables;
    }

    @Override
    public long count(ReplayFilter filter) {
        synchronized (tables.lock) {
            Instant end = earlier(filter.to(), tables.now());
            return tables.history.between(History.Position.before(filter.from()), end).entrySet().stream()
                    .filter(delivery -> ReplayRun.fits(filter, delivery))
                    .count();
        }
    }

    @Override
    public Replay start(UUID request, ReplayFilter filter, int perSecond, Signature signature) {
        if (perSecond < 1) {
            throw new IllegalArgumentException(
                    "A replay of " + perSecond + " entries per second would never end; use 1 or more.");
        }
        synchronized (tables.lock) {
            ReplayRun known = tables.replays.find(request);
            if (known != null) {
                return known.read();
            }
            Instant now = tables.now();
            ReplayRun run = tables.replays.start(request, filter.withEnd(earlier(filter.to(), now)), perSecond, now);
            tables.audit.add(now, Action.REPLAY, subject(run.generation), null, signature);
            return run.read();
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    @Override
    public Optional<Replay> find(int generation) {
        synchronized (tables.lock) {
            return Optional.ofNullable(tables.replays.find(generation)).map(ReplayRun::read);
        }
    }

    @Override
    public List<Replay> list(int limit) {
        synchronized (tables.lock) {
            return tables.replays.newest(limit);
        }
    }

    @Override
    public boolean pause(int generation, Signature signature) {
        return decide(generation, (run, now) -> run.pause(), Action.PAUSE_REPLAY, signature);
    }

    @Override
    public boolean resume(int generation, Signature signature) {
        return decide(generation, ReplayRun::resume, Action.RESUME_REPLAY, signature);
    }

    @Override
    public boolean cancel(int generation, Signature signature) {
        return decide(generation, ReplayRun::cancel, Action.CANCEL_REPLAY, signature);
    }

    private boolean decide(
            int generation, BiPredicate<ReplayRun, Instant> decision, Action action, Signature signature) {
        synchronized (tables.lock) {
            ReplayRun run = tables.replays.find(generation);
            Instant now = tables.now();
            if (run == null || !decision.test(run, now)) {
                return false;
            }
            tables.replays.sortOut();
            tables.audit.add(now, action, subject(generation), null, signature);
            return true;
        }
    }

    private static String subject(int generation) {
        return "replay " + generation;
    }
}
