/** Compares what was committed with what arrived and with what took effect. */
@NullMarked
package dev.waybill.chaos.check;

import org.jspecify.annotations.NullMarked;
