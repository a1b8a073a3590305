/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.store.jdbc;

import org.jspecify.annotations.NullMarked;
