/** One run: load, faults, healing. */
@NullMarked
package dev.waybill.chaos.run;

import org.jspecify.annotations.NullMarked;
