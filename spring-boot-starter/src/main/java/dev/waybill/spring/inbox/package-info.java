/** Handlers of events, found by their annotation. */
@NullMarked
package dev.waybill.spring.inbox;

import org.jspecify.annotations.NullMarked;
