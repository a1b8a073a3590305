package dev.waybill.spring.relay;

import dev.waybill.spring.TransportCustomizer;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;

/** The transports of an application by the names of their beans, with what customizers put around them. Thread-safe. */
public final class Transports {
    /** The transport to the handlers of this application. */
    public static final String IN_PROCESS = "in-process";

    /** The transport to Kafka. */
    public static final String KAFKA = "kafka";

    private final ListableBeanFactory beans;
    private final List<TransportCustomizer> customizers;
    private final Map<String, Transport> used = new ConcurrentHashMap<>();

    public Transports(ListableBeanFactory beans, List<TransportCustomizer> customizers) {
        this.beans = beans;
        this.customizers = List.copyOf(customizers);
    }

    /** All names. */
    public Set<String> names() {
        return new TreeSet<>(List.of(beans.getBeanNamesForType(Transport.class)));
    }

    /**
     * The transport of a name, always the same one.
     *
     * @param setting what names it, for the message
     * @throws UnknownTransportException if there is none
     */
    Transport named(String name, String setting) {
        if (!names().contains(name)) {
            throw new UnknownTransportException(name, setting, names());
        }
        return used.computeIfAbsent(name, this::customized);
    }

    private Transport customized(String name) {
        Transport transport = beans.getBean(name, Transport.class);
        for (TransportCustomizer customizer : customizers) {
            transport = customizer.customize(name, transport);
        }
        return transport;
    }
}
