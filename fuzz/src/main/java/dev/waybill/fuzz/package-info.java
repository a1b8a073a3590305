/** Gives everything that reads from outside all that could come: targets, their inputs, and the command that runs them. */
@NullMarked
package dev.waybill.fuzz;

import org.jspecify.annotations.NullMarked;
