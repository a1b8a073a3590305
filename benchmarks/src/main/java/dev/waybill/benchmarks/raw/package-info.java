/** The limits: what a database does for hand-written JDBC. */
@NullMarked
package dev.waybill.benchmarks.raw;

import org.jspecify.annotations.NullMarked;
