/** Meters of this process, for Prometheus. */
@NullMarked
package dev.waybill.server.metrics;

import org.jspecify.annotations.NullMarked;
