/** Databases for commands that show something: made for the run, or tables of their own in a database of the user. */
@NullMarked
package dev.waybill.server.database;

import org.jspecify.annotations.NullMarked;
