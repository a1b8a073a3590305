/** A shop in one JVM that shows events on their way from transaction to consumer, with faults if wanted. */
@NullMarked
package dev.waybill.examples.shop.demo;

import org.jspecify.annotations.NullMarked;
