/**
 * The outbox store on a relational database: PostgreSQL, MariaDB (and MySQL 8) and H2.
 *
 * <p>The API is {@link dev.waybill.store.jdbc.JdbcOutboxStore} (all that a relay and an operator need), {@link
 * dev.waybill.store.jdbc.JdbcOutbox} (publishing within a JDBC transaction), and for PostgreSQL the wake-up across
 * processes. All SQL is in the classes of one database.
 */
@NullMarked
package dev.waybill.store.jdbc;

import org.jspecify.annotations.NullMarked;
