/** Which faults happen when: drawn from a seed. */
@NullMarked
package dev.waybill.chaos.plan;

import org.jspecify.annotations.NullMarked;
