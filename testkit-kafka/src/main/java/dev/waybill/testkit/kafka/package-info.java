/** A real Kafka broker inside the JVM, for tests and demonstrations. */
@NullMarked
package dev.waybill.testkit.kafka;

import org.jspecify.annotations.NullMarked;
