/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.server.ops;

import org.jspecify.annotations.NullMarked;
