/** Relays and their routes within the life of an application. */
@NullMarked
package dev.waybill.spring.relay;

import org.jspecify.annotations.NullMarked;
