/** Waybill beside the raw limit and its peers, on the same database. */
@NullMarked
package dev.waybill.benchmarks;

import org.jspecify.annotations.NullMarked;
