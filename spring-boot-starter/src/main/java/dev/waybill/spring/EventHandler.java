package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method handle the events of a type, once each, in a transaction that it shares with the record of it.
 *
 * <p>The method takes the event's value, or the {@link dev.waybill.event.Event}; then, if it likes, the
 * {@link dev.waybill.transport.Delivery}. If it throws, nothing of its transaction remains, the event is tried again, and
 * at last becomes a dead letter of the consumer; meanwhile only the event's key waits.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface EventHandler {

    /** The consumer that the method belongs to: a name that stays for ever, because events are remembered under it. */
    String consumer();

    /** The destination that is listened to; empty: that of the value's {@link PublishedEvent}, or any within the process. */
    String destination() default "";

    /** The name of the event's type; empty: that of the value's {@link PublishedEvent}, or the simple name of its class. */
    String type() default "";

    /** The version that the value's class stands for; 0: that of its {@link PublishedEvent}, or 1. */
    int version() default 0;

    /**
     * For an effect outside of the database, such as a mail: the method runs without a transaction, under a lease. After a
     * crash it may run again.
     */
    boolean leased() default false;
}
