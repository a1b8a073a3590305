/** What every inbox promises on every store, as tests. */
@NullMarked
package dev.waybill.testkit.inbox;

import org.jspecify.annotations.NullMarked;
