package dev.waybill.spring;

import dev.waybill.transport.Transport;

/** A bean that may put something of its own around a transport, for instance to trace or to fail. Several in their order. */
@FunctionalInterface
public interface TransportCustomizer {

    /**
     * What to use in place of the transport.
     *
     * @param name the name of the transport as in the settings: {@code in-process}, {@code kafka}, or a bean's
     */
    Transport customize(String name, Transport transport);
}
