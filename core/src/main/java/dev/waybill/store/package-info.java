/** Where entries live until they have arrived: the contract between writers, relays and databases. */
@NullMarked
package dev.waybill.store;

import org.jspecify.annotations.NullMarked;
