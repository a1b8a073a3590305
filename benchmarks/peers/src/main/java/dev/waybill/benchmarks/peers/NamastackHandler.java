package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Receiver;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** The handler that Namastack stores records for. Safe for many threads. */
final class NamastackHandler implements OutboxTypedHandler<NamastackHandler.Happened> {
    private final @Nullable Receiver receiver;

    /** Without a receiver it is there for publishing only. */
    NamastackHandler(@Nullable Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void handle(Happened payload, OutboxRecordMetadata metadata) {
        if (receiver == null) {
            throw new IllegalStateException("This context only publishes");
        }
        receiver.received(metadata.getKey(), Text.toPayload(payload.text()));
    }

    record Happened(String text) {}

    @EnableAutoConfiguration
    static class Configuration {}
}
