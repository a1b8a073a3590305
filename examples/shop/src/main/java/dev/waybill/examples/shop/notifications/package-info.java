/** The mails of the shop: a service that only listens. */
@NullMarked
package dev.waybill.examples.shop.notifications;

import org.jspecify.annotations.NullMarked;
