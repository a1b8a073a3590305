package dev.waybill.transport.kafka;

import dev.waybill.store.Shards;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.Term;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A term for a group of shards: one transaction after the other, each with all that has come meanwhile and with the ledger.
 *
 * <p>A thread of its own owns the producer: it opens it, which fences every predecessor, reads the ledger, and sends. Other threads
 * reach the queue, the list of what is unsettled, and the two futures; all of these are thread-safe.
 */
final class GroupTerm implements Term {
    private static final Logger log = LoggerFactory.getLogger(GroupTerm.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);
    /** With so much a transaction takes no more batches; what comes later goes with the next one. */
    private static final int ENOUGH = 2_000;
    /** A record of the ledger must fit into a request, whatever the relay's window is. */
    private static final int MOST_LISTED = 20_000;

    private static final long PAUSE = 5;

    private final int group;
    private final KafkaTransportConfig config;
    private final ExactlyOnce exactlyOnce;
    private final Topics topics;
    private final Transport plain;
    private final Thread thread;
    /** What came together goes together: a failure must keep what is behind it from arriving. */
    private final BlockingQueue<List<Shipment>> queue = new LinkedBlockingQueue<>();

    private final Map<Long, Arrived> unsettled = new ConcurrentHashMap<>();
    private final CompletableFuture<Term> opened = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile List<Arrived> before = List.of();
    private volatile boolean closed;

    GroupTerm(int group, KafkaTransportConfig config, ExactlyOnce exactlyOnce, Topics topics, Transport plain) {
        this.group = group;
        this.config = config;
        this.exactlyOnce = exactlyOnce;
        this.topics = topics;
        this.plain = plain;
        thread = new Thread(this::run, "waybill-kafka-term-" + group);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Completes with this term, or with one that is no more than a name. */
    CompletionStage<Term> opened() {
        return opened;
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
        return ended;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        long now = System.nanoTime();
        queue.add(batch.stream()
                .map(delivery -> new Shipment(delivery, listener, () -> closed, now))
                .toList());
    }

    @Override
    public boolean keepsOrder() {
        return true;
    }

    /** Ends after the call to Kafka that is under way; what is open or queued is not committed. */
    @Override
    public void close() {
        closed = true;
    }

    /** Ends like {@link #close}, and tells whoever began it. */
    void end(String reason) {
        close();
        ended.complete(reason);
    }

    void awaitEnd() {
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Producer<byte @Nullable [], byte[]> producer = null;
        try {
            if (!exactlyOnce.isPossible()) {
                opened.complete(new PlainTerm(plain));
                return;
            }
            producer = exactlyOnce.producer(group);
            if (!begin(producer)) {
                opened.complete(new PlainTerm(plain));
                return;
            }
            exactlyOnce.worked();
            opened.complete(this);
            deliver(new Transactions(group, config, producer, exactlyOnce, topics, unsettled));
        } catch (RuntimeException | Error e) {
            log.debug("The term of group {} ends", group, e);
            opened.completeExceptionally(e);
            ended.complete(reason(e));
        } finally {
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
        }
    }

    private static String reason(Throwable failure) {
        return failure instanceof ProducerFencedException || failure instanceof InvalidProducerEpochException
                ? "Another relay took the group over. If that happens all the time, another outbox has the same name: "
                        + Failures.text(failure)
                : Failures.text(failure);
    }

    /** Fences whoever sent for the group before, then reads what it left. */
    private boolean begin(Producer<byte @Nullable [], byte[]> producer) {
        try {
            producer.initTransactions();
            before = exactlyOnce.arrived(group);
        } catch (AuthorizationException e) {
            return exactlyOnce.refuse(Failures.text(e));
        }
        before.forEach(entry -> unsettled.put(entry.sequence(), entry));
        return true;
    }

    private void deliver(Transactions transactions) {
        while (!closed) {
            List<Shipment> batch = next();
            if (!batch.isEmpty()) {
                transactions.deliver(batch);
            }
        }
    }

    /** What is there, after a moment at most; nothing while too much is unsettled. */
    private List<Shipment> next() {
        List<Shipment> batch = new ArrayList<>();
        try {
            if (unsettled.size() >= MOST_LISTED) {
                TimeUnit.MILLISECONDS.sleep(PAUSE);
                return batch;
            }
            List<Shipment> some = queue.poll(100, TimeUnit.MILLISECONDS);
            while (some != null) {
                batch.addAll(some);
                some = batch.size() < ENOUGH ? queue.poll() : null;
            }
        } catch (InterruptedException e) {
            log.debug("Somebody interrupted the thread of group {}; it ends when the term is closed", group);
        }
        return batch;
    }

    static Arrived entry(Delivery delivery) {
        return new Arrived(
                Shards.of(delivery.event()),
                delivery.sequence(),
                delivery.event().id());
    }
}
