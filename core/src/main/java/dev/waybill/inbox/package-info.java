/** The consumer's side: an event takes effect once, and what cannot be handled waits where people can repair it. */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
