/** The simulator: real relays and consumers on a virtual clock, in a world in which everything goes wrong that can. */
@NullMarked
package dev.waybill.testkit.sim;

import org.jspecify.annotations.NullMarked;
