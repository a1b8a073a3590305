/** For tests of applications: an outbox without a database, assertions on what was published, and delivering all of it now. */
@NullMarked
package dev.waybill.testkit.outbox;

import org.jspecify.annotations.NullMarked;
