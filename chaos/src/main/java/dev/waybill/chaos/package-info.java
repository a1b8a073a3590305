/** The command {@code waybill chaos}: real processes, real faults, and whether the promises hold. */
@NullMarked
package dev.waybill.chaos;

import org.jspecify.annotations.NullMarked;
