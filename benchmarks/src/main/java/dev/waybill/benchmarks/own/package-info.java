/** Waybill as a contender. */
@NullMarked
package dev.waybill.benchmarks.own;

import org.jspecify.annotations.NullMarked;
