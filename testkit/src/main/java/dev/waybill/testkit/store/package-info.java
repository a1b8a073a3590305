/** The contract of an outbox store as tests: what every implementation has to pass. */
@NullMarked
package dev.waybill.testkit.store;

import org.jspecify.annotations.NullMarked;
