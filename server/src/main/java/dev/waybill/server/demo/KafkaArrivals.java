package dev.waybill.server.demo;

import java.time.Duration;

/** Whoever reads the demo's topic. Thread-safe. */
interface KafkaArrivals extends AutoCloseable {

    /** Waits until all that was in the topic when this was called has been read; tells whether it has. */
    boolean awaitEnd(Duration atMost);

    @Override
    void close();
}
