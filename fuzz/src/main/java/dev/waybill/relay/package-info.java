/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
