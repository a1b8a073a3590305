/** What could not be delivered, and the decisions that people take about it. */
@NullMarked
package dev.waybill.deadletter;

import org.jspecify.annotations.NullMarked;
