/** The JVM that a contender runs in, and how it is told what to do. */
@NullMarked
package dev.waybill.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
