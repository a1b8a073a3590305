package dev.waybill.server.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.relay.Relay;
import dev.waybill.transport.Transport;
import java.time.Duration;

/** A relay with connections of its own, as if it were a process. */
record DemoRelay(Relay relay, Transport transport, HikariDataSource pool) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Its connections break as those of a dead process do. */
    void kill() {
        relay.kill();
        transport.close();
        pool.close();
    }

    @Override
    public void close() {
        relay.stop(PATIENCE);
        transport.close();
        pool.close();
    }
}
