/** What a Spring application sees of Waybill: annotations, and interfaces of beans that it may add. */
@NullMarked
package dev.waybill.spring;

import org.jspecify.annotations.NullMarked;
