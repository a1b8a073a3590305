/** Whether what arrived is what was committed: nothing lost, nothing made up, in order. */
@NullMarked
package dev.waybill.testkit.check;

import org.jspecify.annotations.NullMarked;
