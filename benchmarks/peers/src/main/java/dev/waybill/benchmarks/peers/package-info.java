/** The libraries that Waybill is compared with, each tuned for throughput and latency alike. */
@NullMarked
package dev.waybill.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
