/** What takes part in a measurement: raw JDBC, Waybill, or a peer. */
@NullMarked
package dev.waybill.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
