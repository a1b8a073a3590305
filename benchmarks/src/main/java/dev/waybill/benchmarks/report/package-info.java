/** What a run has found: table, JSON, pictures, and the bars that it is held to. */
@NullMarked
package dev.waybill.benchmarks.report;

import org.jspecify.annotations.NullMarked;
