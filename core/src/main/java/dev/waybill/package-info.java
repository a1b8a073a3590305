/** Waybill: an event is a row until it has arrived. */
@NullMarked
package dev.waybill;

import org.jspecify.annotations.NullMarked;
