/** Health, and the actuator endpoint. */
@NullMarked
package dev.waybill.spring.actuate;

import org.jspecify.annotations.NullMarked;
