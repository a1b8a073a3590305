/** The in-memory reference store: the contract in its simplest form, for tests and the simulator. */
@NullMarked
package dev.waybill.store.memory;

import org.jspecify.annotations.NullMarked;
