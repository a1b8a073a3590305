package dev.waybill.examples.shop.demo;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries events to the handlers of all services within the JVM, as Kafka does between processes. Thread-safe.
 *
 * <p>An event is delivered when every service that listens has taken it. If one has not, all of them get it again, and the
 * inboxes of the others know it already.
 */
final class Courier implements Carrier, Transport {
    static final String NAME = "courier";

    private volatile List<Service> services = List.of();
    private volatile @Nullable String down;

    @Override
    public String description() {
        return "in-process";
    }

    @Override
    public Map<String, Object> settings(String service) {
        return Map.of("waybill.outbox.transport", NAME);
    }

    @Override
    public Transport transport() {
        return this;
    }

    @Override
    public void connect(Iterable<Service> running) {
        List<Service> all = new ArrayList<>();
        running.forEach(all::add);
        services = List.copyOf(all);
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        List<Service> all = services;
        if (all.isEmpty()) {
            DeliveryResult early = DeliveryResult.unavailable("the services are starting");
            batch.forEach(delivery -> listener.onResult(delivery, early));
            return;
        }
        for (Delivery delivery : batch) {
            List<Service> listening = all.stream()
                    .filter(service -> service.handles(delivery.event()))
                    .toList();
            Answers answers = new Answers(listening.size(), listener);
            listening.forEach(service -> send(delivery, service, answers));
            if (listening.isEmpty()) {
                listener.onResult(delivery, DeliveryResult.rejected("no service has a handler for it"));
            }
        }
    }

    private void send(Delivery delivery, Service service, Answers answers) {
        if (service.name().equals(down)) {
            answers.onResult(delivery, DeliveryResult.unavailable("the service " + service.name() + " is down"));
        } else {
            service.handlers().send(List.of(delivery), answers);
        }
    }

    @Override
    public boolean canGoDown() {
        return true;
    }

    @Override
    public String goDown(RandomGenerator random) {
        List<Service> all = services;
        String service = all.get(random.nextInt(all.size())).name();
        down = service;
        return service;
    }

    @Override
    public void comeUp() {
        down = null;
    }

    @Override
    public Optional<String> down() {
        return Optional.ofNullable(down);
    }

    @Override
    public void close() {}
}
