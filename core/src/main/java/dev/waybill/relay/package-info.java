/** The relay: owns shards, fetches entries in order, delivers them and settles the outcomes. */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
