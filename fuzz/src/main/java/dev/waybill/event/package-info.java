/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.event;

import org.jspecify.annotations.NullMarked;
