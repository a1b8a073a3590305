/** Delivers to Kafka topics, and reads the events of such a topic back. */
@NullMarked
package dev.waybill.transport.kafka;

import org.jspecify.annotations.NullMarked;
