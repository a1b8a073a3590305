/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.transport.kafka;

import org.jspecify.annotations.NullMarked;
