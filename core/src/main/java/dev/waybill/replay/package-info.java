/** Sending again what was delivered before, from the history. */
@NullMarked
package dev.waybill.replay;

import org.jspecify.annotations.NullMarked;
