package dev.waybill.benchmarks.raw;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import dev.waybill.server.cli.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes business rows and publishes nothing. */
class NoOutbox implements Contender {
    private final Site site;
    private final HikariDataSource pool;

    NoOutbox(Site site) {
        this.site = site;
        Pools.Target target = new Pools.Target(site.jdbcUrl(), site.user(), site.password());
        pool = Pools.open(target, "writers", site.writers() + 1);
    }

    HikariDataSource pool() {
        return pool;
    }

    Site site() {
        return site;
    }

    @Override
    public String settings() {
        return "JDBC, " + site.writers() + " connections";
    }

    @Override
    public void install() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Purchases.install(connection);
        }
    }

    @Override
    public final void transact(Purchase purchase, List<Message> messages) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Purchases.insert(connection, purchase);
            publish(connection, messages);
            connection.commit();
            connection.setAutoCommit(true);
        }
        committed(messages);
    }

    void publish(Connection connection, List<Message> messages) throws SQLException {}

    void committed(List<Message> messages) {}

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        throw new UnsupportedOperationException("It has no outbox");
    }

    @Override
    public void start(Receiver receiver) throws Exception {
        throw new UnsupportedOperationException("It has no outbox");
    }

    @Override
    public void stop() throws Exception {}

    @Override
    public void close() {
        pool.close();
    }
}
