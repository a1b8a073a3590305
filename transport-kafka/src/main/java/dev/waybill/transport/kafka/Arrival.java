package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A record that was read: where it is, and what it carries. Immutable.
 *
 * @param unreadable why it is no event; then the delivery stands in for it
 */
record Arrival(
        TopicPartition partition,
        long offset,
        Delivery delivery,
        @Nullable UnreadableRecordException unreadable) {}
