/** What fuzzing does with this package. */
@NullMarked
package dev.waybill.spring.boot;

import org.jspecify.annotations.NullMarked;
