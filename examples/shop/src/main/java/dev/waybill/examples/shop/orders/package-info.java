/** The orders of the shop: a service with JPA. */
@NullMarked
package dev.waybill.examples.shop.orders;

import org.jspecify.annotations.NullMarked;
