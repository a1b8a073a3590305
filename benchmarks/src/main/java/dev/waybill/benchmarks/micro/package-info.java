/** What is hot, without a database: JMH benchmarks. */
@NullMarked
package dev.waybill.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
