/** The processes of a run: servers and a fleet, which can be killed and started again. */
@NullMarked
package dev.waybill.chaos.stage;

import org.jspecify.annotations.NullMarked;
