package dev.waybill.testkit.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * Makes the outbox of a Spring test remember what was committed, and gives it the beans {@link dev.waybill.testkit.outbox.Drain}
 * and {@link Faults}; all of them are reset before each test. Failures are tried again within milliseconds.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(WaybillTestConfiguration.class)
@TestPropertySource(
        properties = {
            "waybill.retry.first-wait=5ms",
            "waybill.retry.longest-wait=50ms",
            "waybill.inbox.first-wait=5ms",
            "waybill.inbox.longest-wait=50ms",
            "waybill.relay.probe-first=5ms",
            "waybill.relay.probe-longest=50ms"
        })
public @interface WaybillTest {}
