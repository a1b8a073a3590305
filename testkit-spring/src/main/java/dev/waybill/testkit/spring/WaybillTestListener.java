package dev.waybill.testkit.spring;

import dev.waybill.spring.relay.Relays;
import dev.waybill.testkit.outbox.Drain;
import java.time.Duration;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Lets each test begin with nothing published, nothing on its way and nothing broken, although tests share a context. */
final class WaybillTestListener implements TestExecutionListener {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public void beforeTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(Faults.class).ifAvailable(Faults::reset);
            context.getBeanProvider(Drain.class).ifAvailable(drain -> finish(context, drain));
            context.getBeanProvider(OutboxRecorder.class).ifAvailable(OutboxRecorder::forget);
        }
    }

    /** What the test before has left would take the faults of this one. */
    private static void finish(ApplicationContext context, Drain drain) {
        if (context.getBeanProvider(Relays.class).stream().anyMatch(Relays::isRunning)) {
            try {
                drain.deliverEverything(PATIENCE);
            } catch (AssertionError left) {
                // Of a destination that cannot be reached, for instance: no reason for this test to fail.
                return;
            }
        }
    }
}
