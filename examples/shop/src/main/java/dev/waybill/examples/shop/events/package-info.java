/** What the services of the shop tell each other: the only thing that they share. */
@NullMarked
package dev.waybill.examples.shop.events;

import org.jspecify.annotations.NullMarked;
