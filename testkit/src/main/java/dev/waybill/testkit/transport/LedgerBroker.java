package dev.waybill.testkit.transport;

import dev.waybill.store.Shards;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The reference of a destination with a ledger, in memory: what arrives and what the ledger says change in one step, and only by
 * the newest term of a group. Several relays connect to one. Not thread-safe.
 */
public final class LedgerBroker {

    /** What becomes of a batch in the hands of the destination. */
    public enum Fate {
        ARRIVES,
        /** It arrives, and nobody hears of it. */
        ARRIVES_UNHEARD,
        /** It arrives, and the term ends before anybody hears of it. */
        ARRIVES_AND_ENDS,
        /** It does not arrive, and nobody hears of that. */
        VANISHES,
        /** It does not arrive, and the term ends. */
        ENDS
    }

    /** Decides what happens, when it happens; a test may do whatever it likes in the meantime. */
    public interface Rule {
        Fate fateOf(List<Delivery> batch);

        /** What a delivery gets that does not arrive by itself; {@link DeliveryResult#delivered()} for one that does. */
        default DeliveryResult resultOf(Delivery delivery) {
            return DeliveryResult.delivered();
        }
    }

    private static final class Group {
        int epoch;
        Map<Long, Term.Arrived> ledger = new TreeMap<>();
    }

    private final List<Group> groups = new ArrayList<>();
    private final List<Delivery> arrived = new ArrayList<>();
    private final List<List<Delivery>> batches = new ArrayList<>();
    private Rule rule = batch -> Fate.ARRIVES;

    public LedgerBroker() {
        for (int group = 0; group < Shards.GROUPS; group++) {
            groups.add(new Group());
        }
    }

    public void ruledBy(Rule newRule) {
        rule = newRule;
    }

    /** A transport of one process. */
    public LedgerTransport connect() {
        return new Connection();
    }

    /** All that has arrived, in order. */
    public List<Delivery> arrived() {
        return List.copyOf(arrived);
    }

    /** All that was ever handed over, in the batches in which it came. */
    public List<List<Delivery>> batches() {
        return List.copyOf(batches);
    }

    /** How many terms were begun. */
    public int terms() {
        return groups.stream().mapToInt(group -> group.epoch).sum();
    }

    /** Writes something into the ledger of its group that no term of this broker has sent. */
    public void list(Term.Arrived entry) {
        groups.get(Shards.groupOf(entry.shard())).ledger.put(entry.sequence(), entry);
    }

    private final class Connection implements LedgerTransport {
        @Override
        public CompletionStage<Term> begin(int group) {
            return CompletableFuture.completedFuture(new MemoryTerm(groups.get(group)));
        }

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            throw new IllegalStateException("The relay sent " + batch + " without a term.");
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return "LedgerBroker";
        }
    }

    private final class MemoryTerm implements Term {
        private final Group group;
        private final int epoch;
        private final List<Arrived> before;
        private final Map<Long, Arrived> unsettled;
        private final CompletableFuture<String> end = new CompletableFuture<>();

        MemoryTerm(Group group) {
            this.group = group;
            epoch = ++group.epoch;
            before = List.copyOf(group.ledger.values());
            unsettled = new TreeMap<>(group.ledger);
        }

        @Override
        public List<Arrived> arrived() {
            return before;
        }

        @Override
        public void settled(long sequence) {
            unsettled.remove(sequence);
        }

        @Override
        public CompletionStage<String> ended() {
            return end;
        }

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            batches.add(List.copyOf(batch));
            Fate fate = rule.fateOf(batch);
            if (fate == Fate.VANISHES) {
                return;
            }
            if (fate == Fate.ENDS || epoch != group.epoch || end.isDone()) {
                end.complete(epoch == group.epoch ? "ended as planned" : "fenced");
                return;
            }
            List<Answer> answers = judge(batch);
            for (Answer answer : answers) {
                if (answer.result.equals(DeliveryResult.delivered())) {
                    arrived.add(answer.delivery);
                    Arrived entry = entry(answer.delivery);
                    unsettled.put(entry.sequence(), entry);
                }
            }
            group.ledger = new TreeMap<>(unsettled);
            if (fate == Fate.ARRIVES) {
                answers.forEach(answer -> listener.onResult(answer.delivery, answer.result));
            } else if (fate == Fate.ARRIVES_AND_ENDS) {
                end.complete("ended as planned");
            }
        }

        @Override
        public boolean keepsOrder() {
            return true;
        }

        /** In order; nothing for what is behind a failure of its key. */
        private List<Answer> judge(List<Delivery> batch) {
            Set<List<String>> failed = new HashSet<>();
            List<Answer> answers = new ArrayList<>();
            for (Delivery delivery : batch) {
                String key = delivery.event().key();
                List<String> line =
                        key == null ? List.of() : List.of(delivery.event().destination(), key);
                if (!failed.contains(line)) {
                    DeliveryResult result = rule.resultOf(delivery);
                    answers.add(new Answer(delivery, result));
                    if (key != null && !result.equals(DeliveryResult.delivered())) {
                        failed.add(line);
                    }
                }
            }
            return answers;
        }

        @Override
        public void close() {
            end.complete("closed");
        }
    }

    private record Answer(Delivery delivery, DeliveryResult result) {}

    private static Term.Arrived entry(Delivery delivery) {
        return new Term.Arrived(
                Shards.of(delivery.event()),
                delivery.sequence(),
                delivery.event().id());
    }
}
