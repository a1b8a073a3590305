package dev.waybill.chaos.child;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.ExactlyOnceKafkaTransport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.time.Duration;

/** The transport of a relay for a mode of delivery: the one place that knows what a mode means. */
final class Transports {
    private static final String OUTBOX = "chaos";

    private Transports() {}

    static Transport open(DeliveryMode mode, String brokers, Duration deliveryTimeout) {
        KafkaTransportConfig config =
                KafkaTransportConfig.of(brokers).withSource("/chaos").withDeliveryTimeout(deliveryTimeout);
        return switch (mode) {
            case IDEMPOTENT -> KafkaTransport.create(config);
            case EXACTLY_ONCE -> ExactlyOnceKafkaTransport.create(config, OUTBOX);
        };
    }
}
