/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.resilience;

import org.jspecify.annotations.NullMarked;
