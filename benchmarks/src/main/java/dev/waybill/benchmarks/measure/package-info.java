/** Figures of interleaved rounds, and how sure they are. */
@NullMarked
package dev.waybill.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
