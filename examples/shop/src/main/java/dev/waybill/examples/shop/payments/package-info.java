/** The till of the shop: a service with plain JDBC. */
@NullMarked
package dev.waybill.examples.shop.payments;

import org.jspecify.annotations.NullMarked;
