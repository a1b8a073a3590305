/** The write path: publishing events within the caller's transaction. */
@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
