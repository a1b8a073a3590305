/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.server;

import org.jspecify.annotations.NullMarked;
