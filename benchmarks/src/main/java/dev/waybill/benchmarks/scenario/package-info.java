/** What is measured. */
@NullMarked
package dev.waybill.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
