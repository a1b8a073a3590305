/** The way out: what carries an event to its destination, and what became of it. */
@NullMarked
package dev.waybill.transport;

import org.jspecify.annotations.NullMarked;
