/** One trace from the request that publishes to the handler that consumes. */
@NullMarked
package dev.waybill.spring.tracing;

import org.jspecify.annotations.NullMarked;
