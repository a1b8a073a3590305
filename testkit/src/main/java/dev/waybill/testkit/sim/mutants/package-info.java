/** Bugs that are planted into the product's sources, one by one, to see whether the simulator catches them. */
@NullMarked
package dev.waybill.testkit.sim.mutants;

import org.jspecify.annotations.NullMarked;
