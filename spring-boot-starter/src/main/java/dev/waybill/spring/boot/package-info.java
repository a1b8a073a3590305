/** Auto-configuration and settings. */
@NullMarked
package dev.waybill.spring.boot;

import org.jspecify.annotations.NullMarked;
