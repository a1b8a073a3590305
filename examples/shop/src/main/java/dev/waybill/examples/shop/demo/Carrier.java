package dev.waybill.examples.shop.demo;

import dev.waybill.transport.Transport;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What carries events from service to service, and can be taken down. Thread-safe. */
interface Carrier extends AutoCloseable {

    /** What it is, in a few words. */
    String description();

    /** Settings of a service that uses it. */
    Map<String, Object> settings(String service);

    /** A transport for all services, if that is what they need. */
    @Nullable
    Transport transport();

    /** Tells that all services run. */
    void connect(Iterable<Service> services);

    /** Whether it is ours to take down. */
    boolean canGoDown();

    /** Takes it, or one of the services behind it, down; tells which. */
    String goDown(RandomGenerator random);

    void comeUp();

    /** What is down. */
    Optional<String> down();

    /** Stops what the demo started. All services have to be stopped before. */
    @Override
    void close();
}
