package dev.waybill.relay;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.Ownership;
import dev.waybill.store.Shards;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay's terms with transports that keep a ledger: one for each transport and group of shards that it owns. Owned by the
 * relay's thread; transports leave their answers in a queue.
 *
 * <p>A shard is closed to such a transport until the term is open, and other transports do not wait for that. The order makes it
 * safe: own the lead → begin, which fences every predecessor → read the ledger → ask the store whether the lead is still
 * owned under the same lease → settle what the ledger lists → send. Who loses the lead after the store said so has a successor
 * that begins after that, and so fences it; who lost it before has sent nothing. Whatever is not certain (an end, a
 * missing answer, a shard that comes late) ends the term, and the next one reads the ledger again.
 */
final class Terms {
    private static final Logger log = LoggerFactory.getLogger(Terms.class);
    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final int LONGEST_PAUSE = 5;
    private static final int OFTEN = 20;
    /** A term that lasted longer than this is no sign of trouble when it ends. */
    private static final long CALM = Duration.ofSeconds(30).toNanos();

    /** One transport and group. */
    private static final class Tenure {
        final LedgerTransport transport;
        final int group;
        /** Under whose lease it was begun; {@code null}: it is not begun. */
        @Nullable
        Shard lead;

        /** Which begin an answer belongs to. */
        int turn;

        /** {@code null}: not answered yet. */
        @Nullable
        Term term;

        boolean open;

        @Nullable
        String over;

        long openedAt;
        long beginAt;
        int failures;

        Tenure(LedgerTransport transport, int group) {
            this.transport = transport;
            this.group = group;
        }

        @Override
        public String toString() {
            return transport + ", group " + group;
        }
    }

    /** The answer to a begin, or the end of a term. */
    private record News(
            Tenure tenure,
            int turn,
            @Nullable Term term,
            @Nullable String over) {}

    private final UUID relay;
    private final OutboxStore store;
    private final Depot depot;
    private final RelayConfig config;
    private final Counters counters;
    private final Mailbox mailbox;
    private final Arrivals arrivals;
    private final List<Tenure> tenures = new ArrayList<>();
    private final Queue<News> news = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    Terms(
            UUID relay,
            OutboxStore store,
            Depot depot,
            List<LedgerTransport> transports,
            RelayConfig config,
            Counters counters,
            Mailbox mailbox,
            Arrivals arrivals) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.config = config;
        this.counters = counters;
        this.mailbox = mailbox;
        this.arrivals = arrivals;
        for (LedgerTransport transport : transports) {
            IntStream.range(0, Shards.GROUPS).forEach(group -> tenures.add(new Tenure(transport, group)));
        }
    }

    /** Begins, opens and ends terms as the shards come and go. */
    int keep(long now) {
        if (tenures.isEmpty()) {
            return 0;
        }
        int work = takeIn();
        for (Tenure tenure : tenures) {
            work += keep(tenure, now);
        }
        return work;
    }

    /** When there is something to do without news. */
    long nextDeadline() {
        long next = news.isEmpty() ? Long.MAX_VALUE : 0;
        for (Tenure tenure : tenures) {
            if (tenure.lead == null && mayBegin(tenure)) {
                next = Math.min(next, tenure.beginAt);
            } else if (tenure.over != null || (tenure.term != null && !tenure.open)) {
                next = 0;
            }
        }
        return next;
    }

    /** Something was sent in this term, and nobody knows what became of it. */
    void doubt(Term term, String reason) {
        for (Tenure tenure : tenures) {
            if (tenure.term == term && tenure.over == null) {
                tenure.over = reason;
            }
        }
    }

    /** Nothing is begun any more, and what was begun ends. */
    void close() {
        closed = true;
        takeIn();
        for (Tenure tenure : tenures) {
            end(tenure);
        }
    }

    private int takeIn() {
        int taken = 0;
        for (News one = news.poll(); one != null; one = news.poll()) {
            taken++;
            Tenure tenure = one.tenure;
            boolean current = tenure.lead != null && one.turn == tenure.turn;
            if (current && one.over != null) {
                tenure.over = one.over;
            } else if (current) {
                tenure.term = one.term;
            } else if (one.term != null) {
                // Begun under a lease that is gone. It may have ended a successor's term, which begins another one.
                one.term.close();
            }
        }
        return taken;
    }

    private int keep(Tenure tenure, long now) {
        if (tenure.lead != null && (isOver(tenure) || isIncomplete(tenure))) {
            if (tenure.over != null) {
                failed(tenure, tenure.over, now);
            }
            end(tenure);
            return 1;
        }
        if (tenure.lead == null) {
            return mayBegin(tenure) && tenure.beginAt <= now ? begin(tenure, now) : 0;
        }
        return tenure.term != null && !tenure.open ? open(tenure, tenure.term, now) : 0;
    }

    private boolean isOver(Tenure tenure) {
        return tenure.over != null || depot.shard(Shards.leadOf(tenure.group)) != tenure.lead;
    }

    /** A shard came to the group after its term was opened: what of it has arrived only the ledger can tell. */
    private boolean isIncomplete(Tenure tenure) {
        return tenure.open
                && shards(tenure).stream()
                        .anyMatch(shard -> !shard.draining && shard.term(tenure.transport) != tenure.term);
    }

    private boolean mayBegin(Tenure tenure) {
        Shard lead = depot.shard(Shards.leadOf(tenure.group));
        return !closed && lead != null && !lead.draining;
    }

    private int begin(Tenure tenure, long now) {
        tenure.lead = depot.shard(Shards.leadOf(tenure.group));
        int turn = ++tenure.turn;
        try {
            tenure.transport.begin(tenure.group).whenComplete((term, failure) -> answered(tenure, turn, term, failure));
        } catch (RuntimeException | LinkageError e) {
            failed(tenure, e.toString(), now);
            tenure.lead = null;
        }
        return 1;
    }

    /** From any thread. */
    private void answered(Tenure tenure, int turn, @Nullable Term term, @Nullable Throwable failure) {
        if (term == null) {
            leave(new News(tenure, turn, null, failure == null ? "no term" : failure.toString()));
            return;
        }
        leave(new News(tenure, turn, term, null));
        term.ended()
                .whenComplete((reason, problem) -> leave(new News(
                        tenure,
                        turn,
                        null,
                        problem == null ? Objects.requireNonNullElse(reason, "ended") : problem.toString())));
    }

    private void leave(News one) {
        if (closed && one.term != null) {
            one.term.close();
        } else {
            news.add(one);
            mailbox.ring();
        }
    }

    private int open(Tenure tenure, Term term, long now) {
        // After the begin, and from the store: only now is it certain that whoever comes next will fence this term.
        Ownership ownership = store.renew(relay, config.lease());
        Map<Integer, Long> epochs = new HashMap<>();
        ownership.leases().forEach(lease -> epochs.put(lease.shard(), lease.epoch()));
        List<Shard> shards = shards(tenure);
        int arrived = 0;
        for (Shard shard : shards) {
            boolean owned = Objects.equals(epochs.get(shard.number()), shard.lease.epoch());
            int settled = owned ? settle(shard, term) : Arrivals.LOST;
            if (settled == Arrivals.LOST) {
                // The keeper will find out too, and drops it.
                tenure.over = "Shard " + shard.number() + " was lost meanwhile";
                return 1;
            }
            arrived += settled;
        }
        shards.forEach(shard -> depot.open(shard, tenure.transport, term));
        tenure.open = true;
        tenure.openedAt = now;
        if (arrived > 0) {
            log.info("{}: {} entries had arrived before, and are settled without being sent", tenure, arrived);
        }
        log.debug("{}: term {} is open for {} shards", tenure, tenure.turn, shards.size());
        return 1 + arrived;
    }

    /** Settles what has arrived of a shard; returns how many there were, or that the shard is lost. */
    private int settle(Shard shard, Term term) {
        Map<Long, UUID> arrived = new HashMap<>();
        for (Term.Arrived one : term.arrived()) {
            if (one.shard() == shard.number()) {
                arrived.put(one.sequence(), one.event());
            }
        }
        int settled = arrivals.settle(shard.lease, arrived);
        if (settled != Arrivals.LOST) {
            arrived.keySet().forEach(term::settled);
        }
        return settled;
    }

    private void failed(Tenure tenure, String reason, long now) {
        boolean calm = tenure.open && now - tenure.openedAt > CALM;
        tenure.failures = calm || tenure.failures == 0 ? 1 : tenure.failures + 1;
        tenure.beginAt = now + (SHORTEST_PAUSE << Math.min(LONGEST_PAUSE, tenure.failures - 1));
        counters.lastError = tenure + ": " + reason;
        if (tenure.failures == 1) {
            log.warn("{}: there is no term, the next one will read the ledger: {}", tenure, reason);
        } else if (tenure.failures % OFTEN == 0) {
            log.warn("{}: no term for long, {} times in a row: {}", tenure, tenure.failures, reason);
        }
    }

    /** What it has not answered returns to the store's care. */
    private void end(Tenure tenure) {
        if (tenure.lead == null) {
            return;
        }
        if (tenure.term != null) {
            tenure.term.close();
        }
        shards(tenure).forEach(shard -> depot.close(shard, tenure.transport));
        tenure.lead = null;
        tenure.term = null;
        tenure.open = false;
        tenure.over = null;
    }

    private List<Shard> shards(Tenure tenure) {
        List<Shard> shards = new ArrayList<>(Shards.GROUP_SIZE);
        ShardGroups.shardsOf(tenure.group).mapToObj(depot::shard).forEach(shard -> {
            if (shard != null) {
                shards.add(shard);
            }
        });
        return shards;
    }
}
