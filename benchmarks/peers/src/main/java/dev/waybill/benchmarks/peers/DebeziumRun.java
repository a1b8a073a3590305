package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of Debezium's engine. Tuned: no snapshot, only inserts, records as they are (no transformation, no JSON), large
 * batches from a large queue, and a pause of a millisecond when the log has nothing.
 */
final class DebeziumRun implements AutoCloseable {
    static final String SETTINGS = "pgoutput, slot and publication made before, records without conversion,"
            + " batches of 8192 from a queue of 32768, poll interval 1 ms";

    private static final Logger LOG = LoggerFactory.getLogger(DebeziumRun.class);

    private final DebeziumEngine<?> engine;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Threads.daemons("debezium"));

    DebeziumRun(Site site, Path offsets, Receiver receiver) {
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(properties(site, offsets))
                .using((success, message, error) -> {
                    if (!success) {
                        LOG.error("Debezium ended: {}", message, error);
                    }
                })
                .notifying((events, committer) -> deliver(events, committer, receiver))
                .build();
        thread.execute(engine);
    }

    private static void deliver(
            List<RecordChangeEvent<SourceRecord>> events,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
            Receiver receiver)
            throws InterruptedException {
        for (RecordChangeEvent<SourceRecord> event : events) {
            Struct row = ((Struct) event.record().value()).getStruct("after");
            receiver.received(row.getString("event_key"), bytes(row.get("payload")));
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
    }

    private static byte[] bytes(Object value) {
        ByteBuffer buffer = (ByteBuffer) value;
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static Properties properties(Site site, Path offsets) {
        URI server = URI.create(site.jdbcUrl().substring("jdbc:".length()));
        Properties properties = new Properties();
        properties.setProperty("name", "bench");
        properties.setProperty("topic.prefix", "bench");
        properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        properties.setProperty("database.hostname", server.getHost());
        properties.setProperty("database.port", Integer.toString(server.getPort() < 0 ? 5432 : server.getPort()));
        properties.setProperty("database.dbname", server.getPath().substring(1));
        properties.setProperty("database.user", site.user());
        properties.setProperty("database.password", site.password());
        properties.setProperty("plugin.name", "pgoutput");
        properties.setProperty("slot.name", DebeziumContender.SLOT);
        properties.setProperty("publication.name", DebeziumContender.PUBLICATION);
        properties.setProperty("publication.autocreate.mode", "disabled");
        properties.setProperty("table.include.list", "public." + DebeziumContender.TABLE);
        properties.setProperty("snapshot.mode", "no_data");
        properties.setProperty("skipped.operations", "u,d,t");
        properties.setProperty("max.batch.size", "8192");
        properties.setProperty("max.queue.size", "32768");
        properties.setProperty("poll.interval.ms", "1");
        properties.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        properties.setProperty("offset.storage.file.filename", offsets.toString());
        properties.setProperty("offset.flush.interval.ms", "1000");
        return properties;
    }

    @Override
    public void close() {
        try {
            engine.close();
        } catch (IOException e) {
            LOG.warn("Debezium did not end cleanly", e);
        }
        thread.shutdown();
        Threads.await(thread);
    }
}
