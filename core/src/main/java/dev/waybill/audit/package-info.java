/** Who decided what, when and why: every change that a person makes leaves a record in the same transaction. */
@NullMarked
package dev.waybill.audit;

import org.jspecify.annotations.NullMarked;
