/** Circuit breakers and retries around calls of other systems, and before a consumer's handlers. */
@NullMarked
package dev.waybill.resilience;

import org.jspecify.annotations.NullMarked;
