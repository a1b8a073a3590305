/** The shelves of the shop: a service with plain JDBC. */
@NullMarked
package dev.waybill.examples.shop.inventory;

import org.jspecify.annotations.NullMarked;
