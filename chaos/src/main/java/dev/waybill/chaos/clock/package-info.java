/** The time of a run: one that all processes share, and that nobody sets. */
@NullMarked
package dev.waybill.chaos.clock;

import org.jspecify.annotations.NullMarked;
