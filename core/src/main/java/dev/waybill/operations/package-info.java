/** What the people who run an outbox see and do, whatever the database. */
@NullMarked
package dev.waybill.operations;

import org.jspecify.annotations.NullMarked;
