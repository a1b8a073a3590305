/** The result for people and for programs. */
@NullMarked
package dev.waybill.chaos.report;

import org.jspecify.annotations.NullMarked;
