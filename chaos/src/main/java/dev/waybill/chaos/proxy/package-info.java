/** A network that breaks on demand. */
@NullMarked
package dev.waybill.chaos.proxy;

import org.jspecify.annotations.NullMarked;
