package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.inventory.InventoryApplication;
import dev.waybill.examples.shop.notifications.NotificationsApplication;
import dev.waybill.examples.shop.orders.OrdersApplication;
import dev.waybill.examples.shop.payments.PaymentsApplication;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.RouteCustomizer;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The four services, each a Spring Boot application with a schema of its own, as they would run in processes of their own.
 * Thread-safe.
 */
final class Shop implements AutoCloseable {
    static final String ORDERS = "orders";
    static final String PAYMENTS = "payments";

    private static final int IN_FLIGHT = 64;
    private static final Map<String, Class<?>> APPLICATIONS = new LinkedHashMap<>();

    static {
        APPLICATIONS.put("orders", OrdersApplication.class);
        APPLICATIONS.put("inventory", InventoryApplication.class);
        APPLICATIONS.put("payments", PaymentsApplication.class);
        APPLICATIONS.put("notifications", NotificationsApplication.class);
    }

    private final List<Service> services = new ArrayList<>();

    private Shop() {}

    /** Starts all of them, in empty schemas. */
    static Shop open(
            DemoConfig config,
            ScratchDatabase database,
            Carrier carrier,
            HandlerInterceptor interceptor,
            MeterRegistry served) {
        // Logging is the demo's own: it goes to a file, and the services share it.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        Shop shop = new Shop();
        try {
            APPLICATIONS.forEach((name, application) -> {
                Map<String, Object> settings = settings(name, config, database.createSchema(name));
                settings.putAll(carrier.settings(name));
                ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                        .web(WebApplicationType.NONE)
                        .properties(settings)
                        .initializers(fresh -> {
                            GenericApplicationContext beans = (GenericApplicationContext) fresh;
                            beans.registerBean(HandlerInterceptor.class, () -> interceptor);
                            beans.registerBean(MeterRegistry.class, () -> meters(name, served));
                            Transport transport = carrier.transport();
                            if (transport != null) {
                                beans.registerBean(Courier.NAME, Transport.class, () -> transport);
                                // What it carries waits for threads of the handlers, as in-process.
                                beans.registerBean(
                                        RouteCustomizer.class,
                                        () -> (destination, route) -> route.withMaxInFlight(IN_FLIGHT));
                            }
                        })
                        .run();
                shop.services.add(new Service(name, context));
            });
            carrier.connect(shop.services);
            return shop;
        } catch (RuntimeException e) {
            shop.close();
            throw e;
        }
    }

    List<Service> services() {
        return List.copyOf(services);
    }

    Service service(String name) {
        return services.stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        services.forEach(Service::close);
    }

    private static Map<String, Object> settings(String name, DemoConfig config, Pools.Target database) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("spring.config.location", "classpath:/" + name + "/application.properties");
        settings.put("spring.main.banner-mode", "off");
        settings.put("spring.main.log-startup-info", "false");
        // The run ends in its own time when the JVM is told to end.
        settings.put("spring.main.register-shutdown-hook", "false");
        settings.put("spring.datasource.url", database.url());
        settings.put("spring.datasource.username", database.user() == null ? "" : database.user());
        settings.put("spring.datasource.password", database.password() == null ? "" : database.password());
        settings.put("waybill.relay.lease", DemoConfig.LEASE);
        settings.put("waybill.relay.probe-first", "100ms");
        settings.put("waybill.relay.probe-longest", "500ms");
        // A statement that hangs must end before the lease does, or nobody could take the shards over.
        settings.put("waybill.store.statement-timeout", DemoConfig.LEASE.dividedBy(2));
        settings.put("waybill.store.retention", config.retention());
        if (config.faults() && name.equals(PAYMENTS)) {
            settings.put("waybill.consumers.payments.max-attempts", "5");
            settings.put("waybill.consumers.payments.first-wait", "100ms");
            settings.put("waybill.consumers.payments.longest-wait", "1s");
            settings.put("waybill.resilience.breaker.open-time", "1s");
            settings.put("waybill.resilience.breaker.window-size", "20");
            settings.put("waybill.resilience.breaker.minimum-calls", "10");
        }
        return settings;
    }

    /** Counts for the demo itself, and for who asks the demo's endpoint. */
    private static MeterRegistry meters(String service, MeterRegistry served) {
        CompositeMeterRegistry meters = new CompositeMeterRegistry();
        meters.config().commonTags("service", service);
        return meters.add(new SimpleMeterRegistry()).add(served);
    }
}
