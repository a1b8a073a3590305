package dev.waybill.server.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.WaybillException;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RelayStatus;
import dev.waybill.relay.Route;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.store.jdbc.PostgresListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One relay and its connections, from start to a graceful end. */
final class RelayProcess implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);
    private static final int CONNECTIONS = 4;
    private static final long LOOK_MILLIS = 200;
    /** By then a relay has what it can get; with enough others around that may be nothing. */
    private static final int LOOKS_BEFORE_FIRST_LINE = 10;

    private final HikariDataSource pool;
    private final Relay relay;
    private final @Nullable PostgresListener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private RelayProcess(HikariDataSource pool, Relay relay, @Nullable PostgresListener listener) {
        this.pool = pool;
        this.relay = relay;
        this.listener = listener;
    }

    static RelayProcess open(
            Pools.Target target,
            JdbcStoreConfig storeConfig,
            RelayConfig config,
            Map<String, Route> routes,
            MeterRegistry registry) {
        HikariDataSource pool = Pools.open(target, "waybill-relay", CONNECTIONS);
        try {
            JdbcOutboxStore store = JdbcOutboxStore.create(pool, storeConfig);
            store.migrate();
            Relay.Builder builder = Relay.builder(store).config(config).metrics(registry);
            routes.forEach(builder::route);
            Relay relay = builder.build();
            return new RelayProcess(pool, relay, listener(target, pool, storeConfig, relay));
        } catch (WaybillException e) {
            pool.close();
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Without one, the relay's poll finds what other processes committed. */
    private static @Nullable PostgresListener listener(
            Pools.Target target, DataSource pool, JdbcStoreConfig config, Relay relay) {
        return target.url().startsWith("jdbc:postgresql:") ? PostgresListener.start(pool, config, relay::wakeUp) : null;
    }

    /** Delivers until told to stop. Tells the exit code: 1 if something had to be left unsettled. */
    int run() {
        relay.start();
        int owned = awaitFirstShards();
        LOG.info("relay {} started, owns {} shards", relay.id(), owned);
        while (!isStopped()) {
            int now = relay.status().ownedShards();
            if (now != owned) {
                LOG.info("relay {} owns {} shards", relay.id(), now);
                owned = now;
            }
        }
        boolean settled = relay.stop(PATIENCE);
        RelayStatus status = relay.status();
        LOG.info(
                "relay {} stopped: {} delivered, {} retried, {} dead letters; {}",
                relay.id(),
                status.delivered(),
                status.retried(),
                status.deadLetters(),
                settled ? "everything on its way was settled" : "not everything on its way could be settled");
        return settled ? 0 : 1;
    }

    /** From any thread. */
    void stop() {
        stopped.countDown();
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        pool.close();
    }

    private int awaitFirstShards() {
        for (int look = 0; look < LOOKS_BEFORE_FIRST_LINE && relay.status().ownedShards() == 0; look++) {
            if (isStopped()) {
                break;
            }
        }
        return relay.status().ownedShards();
    }

    private boolean isStopped() {
        try {
            return stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
