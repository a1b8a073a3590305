package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to Kafka in transactions, so that consumers with {@code isolation.level=read_committed} see every event once; see
 * docs/kafka.md. Thread-safe.
 *
 * <p>Every {@linkplain dev.waybill.store.Shards#groupOf group} of shards has a producer and a {@link GroupTerm thread} of its own,
 * while a relay of this process has a term for it. A cluster before Kafka 4, or a user without the permissions, gets an idempotent
 * producer instead, with one line in the log that says why.
 */
public final class ExactlyOnceKafkaTransport implements LedgerTransport, SizeLimited {
    private static final Logger log = LoggerFactory.getLogger(ExactlyOnceKafkaTransport.class);

    private final KafkaTransportConfig config;
    private final KafkaTransport plain;
    private final ExactlyOnce exactlyOnce;
    private final Topics topics;
    private final Map<Integer, GroupTerm> terms = new HashMap<>();
    private final AtomicBoolean warned = new AtomicBoolean();
    private boolean closed;

    private ExactlyOnceKafkaTransport(KafkaTransportConfig config, String outbox) {
        this.config = config;
        exactlyOnce = new ExactlyOnce(config, outbox);
        topics = new Topics(config.topicCreation());
        plain = KafkaTransport.create(config);
    }

    /**
     * Starts a transport for the relays of one outbox. It asks the cluster in the background, so that the first term need not wait
     * for it: brokers may be away at this time.
     *
     * @param outbox the name of the outbox, the same for all its relays and unlike that of every other outbox of the cluster:
     *               transactional ids and the ledger topic {@code waybill-ledger-<outbox>} are named by it
     * @throws IllegalArgumentException if the name is not allowed, or the configuration leaves no room for a payload
     */
    public static ExactlyOnceKafkaTransport create(KafkaTransportConfig config, String outbox) {
        ExactlyOnceKafkaTransport transport = new ExactlyOnceKafkaTransport(config, outbox);
        transport.exactlyOnce.askSoon();
        return transport;
    }

    @Override
    public CompletionStage<Term> begin(int group) {
        GroupTerm term = new GroupTerm(group, config, exactlyOnce, topics, plain);
        synchronized (terms) {
            if (closed) {
                throw new IllegalStateException("The transport is closed.");
            }
            GroupTerm last = terms.put(group, term);
            if (last != null) {
                last.end("Another term was begun for the group");
            }
            term.start();
        }
        return term.opened();
    }

    /** For callers without a term: at least once, as {@link KafkaTransport} delivers. */
    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        if (warned.compareAndSet(false, true)) {
            log.warn("Something sends without a term, so at least once: a transport that wraps this one has to be a"
                    + " LedgerTransport too, or use KafkaTransport");
        }
        plain.send(batch, listener);
    }

    @Override
    public int maxPayloadBytes() {
        return plain.maxPayloadBytes();
    }

    /** Ends all terms; transactions that are open are aborted by whoever comes next, or by the cluster. */
    @Override
    public void close() {
        List<GroupTerm> last;
        synchronized (terms) {
            closed = true;
            last = List.copyOf(terms.values());
        }
        last.forEach(GroupTerm::close);
        last.forEach(GroupTerm::awaitEnd);
        plain.close();
        exactlyOnce.close();
    }

    @Override
    public String toString() {
        return "ExactlyOnceKafkaTransport[" + config.bootstrapServers() + ", "
                + exactlyOnce.ledger().name() + "]";
    }
}
