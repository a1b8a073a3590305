/** Transports that record and that go wrong, and the contract that every transport keeps. */
@NullMarked
package dev.waybill.testkit.transport;

import org.jspecify.annotations.NullMarked;
