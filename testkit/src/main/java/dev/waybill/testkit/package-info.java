/** Contracts and tools to test what is built with Waybill, or for it. */
@NullMarked
package dev.waybill.testkit;

import org.jspecify.annotations.NullMarked;
