package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that values of a class are events, and where they go.
 *
 * <p>They are published by {@code outbox.publish(value)}, or by Spring's own {@code publisher.publishEvent(value)} within a
 * transaction, so that existing code needs no new call.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PublishedEvent {

    /** Where they go; a setting such as <code>${shop.topic}</code> is resolved. */
    String destination();

    /** What order is kept for, as a SpEL expression on the value such as {@code orderId}; empty: no order. */
    String key() default "";

    /** The name of the event's type; empty: the simple name of the class. */
    String type() default "";

    /** The version of the event's type. */
    int version() default 1;
}
