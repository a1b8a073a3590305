/** What every relay promises on every store, as tests. */
@NullMarked
package dev.waybill.testkit.relay;

import org.jspecify.annotations.NullMarked;
