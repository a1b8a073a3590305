/** What was published and received, and whether that fits together. */
@NullMarked
package dev.waybill.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
