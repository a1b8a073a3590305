/** Publishing within Spring's transactions. */
@NullMarked
package dev.waybill.spring.outbox;

import org.jspecify.annotations.NullMarked;
