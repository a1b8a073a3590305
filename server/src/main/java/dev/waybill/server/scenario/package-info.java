/** Stories that the real product plays from beginning to end, each step of which is checked in the database. */
@NullMarked
package dev.waybill.server.scenario;

import org.jspecify.annotations.NullMarked;
