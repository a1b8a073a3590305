/** For tests of Spring applications: what was published, delivering everything now, and faults. */
@NullMarked
package dev.waybill.testkit.spring;

import org.jspecify.annotations.NullMarked;
