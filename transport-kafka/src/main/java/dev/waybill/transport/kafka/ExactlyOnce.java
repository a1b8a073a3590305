package dev.waybill.transport.kafka;

import dev.waybill.transport.Term;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the transactions of an outbox need: names, clients, and whether the cluster can do it. Thread-safe.
 *
 * <p>Whether it can is decided once, by the first answer: a relay that changed its mind later would deliver with one half of its
 * groups in a way that the other half does not know of.
 */
final class ExactlyOnce implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ExactlyOnce.class);
    private static final Pattern OUTBOX = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final String TRANSACTIONS = "transaction.version";
    /** Since this one a late request of an aborted transaction cannot become part of the next one. */
    private static final int NEEDED = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long BUFFER = 8 * 1024 * 1024;

    private final KafkaTransportConfig config;
    private final String outbox;
    private final LedgerTopic ledger;
    private @Nullable Admin admin;
    /** While somebody asks the cluster for the first time. */
    private @Nullable CompletableFuture<Boolean> asked;

    private boolean works;
    private boolean refused;
    private boolean closed;

    ExactlyOnce(KafkaTransportConfig config, String outbox) {
        if (!OUTBOX.matcher(outbox).matches()) {
            throw new IllegalArgumentException("The outbox's name \"" + outbox + "\" is not allowed; use 1 to 200 of"
                    + " A-Z a-z 0-9 . _ - because the ledger topic and the transactional ids bear it.");
        }
        this.config = config;
        this.outbox = outbox;
        ledger = new LedgerTopic(config, "waybill-ledger-" + outbox);
    }

    LedgerTopic ledger() {
        return ledger;
    }

    /** What the ledger of a group says; makes a new one if somebody has deleted it. */
    List<Term.Arrived> arrived(int group) {
        return ledger.read(group).orElseGet(() -> {
            ledger.require(admin());
            // A broker that has just started may not have known of it: only what is read says that nothing has arrived.
            return ledger.read(group)
                    .orElseThrow(() -> new KafkaException("There is no topic " + ledger.name() + " at the moment."));
        });
    }

    String transactionalId(int group) {
        return "waybill-" + outbox + "-" + group;
    }

    /**
     * Whether terms are to be served with transactions: makes sure of the ledger topic the first time. Groups that ask at the same
     * time wait for one answer: one after the other they would wait for a cluster that is away as often as there are groups.
     *
     * @throws RuntimeException if nobody knows at the moment
     */
    boolean isPossible() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> answer;
        synchronized (this) {
            if (refused || works) {
                return !refused;
            }
            answer = asked == null ? mine : asked;
            asked = answer;
        }
        if (answer == mine) {
            answer(mine);
        }
        return Replies.get(answer);
    }

    /** Asks without anybody waiting: whoever needs the answer waits less, or asks again. */
    void askSoon() {
        Thread thread = new Thread(
                () -> {
                    try {
                        log.debug("Exactly once is {}", isPossible() ? "possible" : "not possible");
                    } catch (RuntimeException e) {
                        log.debug("The cluster does not answer yet", e);
                    }
                },
                "waybill-kafka-ask");
        thread.setDaemon(true);
        thread.start();
    }

    private void answer(CompletableFuture<Boolean> question) {
        try {
            question.complete(ask());
        } catch (RuntimeException | Error e) {
            question.completeExceptionally(e);
        } finally {
            synchronized (this) {
                asked = null;
            }
        }
    }

    private boolean ask() {
        try {
            int version = transactionVersion();
            if (version < NEEDED) {
                return refuse("its transaction version is " + version + ", and " + NEEDED + " is needed (Kafka 4)");
            }
            ledger.require(admin());
            return true;
        } catch (AuthorizationException | UnsupportedVersionException | IllegalStateException e) {
            return refuse(Failures.text(e));
        }
    }

    private int transactionVersion() {
        FinalizedVersionRange range = Replies.get(admin().describeFeatures().featureMetadata(), PATIENCE)
                .finalizedFeatures()
                .get(TRANSACTIONS);
        return range == null ? 0 : range.maxVersionLevel();
    }

    /** A term was opened: from now on nothing less will do. */
    synchronized void worked() {
        works = true;
    }

    /** Falls back, unless it has worked before. Returns that it is not possible, or throws that it has to be. */
    synchronized boolean refuse(String reason) {
        if (works) {
            throw new IllegalStateException("Exactly once worked before and does no more: " + reason);
        }
        if (!refused) {
            refused = true;
            log.info(
                    "Outbox {} is delivered at least once, with an idempotent producer: exactly once is not possible with this"
                            + " cluster or user, {}",
                    outbox,
                    reason);
        }
        return false;
    }

    synchronized Admin admin() {
        Admin current = admin;
        if (closed) {
            throw new KafkaException("The transport is closed.");
        }
        if (current == null) {
            current = Admin.create(ProducerSettings.admin(config.bootstrapServers(), config.properties()));
            admin = current;
        }
        return current;
    }

    /** A producer for the transactions of a group, which has to be initialised. */
    Producer<byte @Nullable [], byte[]> producer(int group) {
        Map<String, Object> settings = new HashMap<>(
                ProducerSettings.producer(config.bootstrapServers(), config.deliveryTimeout(), config.properties()));
        String patience = String.valueOf(config.deliveryTimeout().toMillis());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(group));
        // A thread of its own waits, so it may wait: through the restart of a broker, say.
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, patience);
        // About as long as a lease, and longer than a record may take: until then an open transaction of a dead relay
        // hides
        // what comes after it.
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                config.deliveryTimeout().multipliedBy(3).dividedBy(2).toMillis());
        long buffer = Math.max(BUFFER, 2L * ProducerSettings.maxRequestBytes(config));
        settings.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, String.valueOf(buffer));
        return new KafkaProducer<>(settings);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
