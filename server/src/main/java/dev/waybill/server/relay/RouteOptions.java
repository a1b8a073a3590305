package dev.waybill.server.relay;

import dev.waybill.server.cli.UsageException;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where events go, as the user said it. Immutable.
 *
 * @param transports the name of a transport for each destination
 * @param rates      most deliveries in a second, for some of the destinations
 * @param kafka      how to reach Kafka, if a destination needs it
 * @param outbox     under which name it is delivered to exactly once; {@code null}: at least once
 */
record RouteOptions(
        Map<String, String> transports,
        Map<String, Integer> rates,
        @Nullable KafkaTransportConfig kafka,
        @Nullable String outbox) {
    static final String LOG = "log";
    static final String KAFKA = "kafka";

    static RouteOptions parse(
            List<String> routes, List<String> rates, @Nullable String brokers, @Nullable String outbox) {
        Map<String, String> transports = new LinkedHashMap<>();
        for (String route : routes) {
            String transport = value("--route", "<transport>", route);
            if (!transport.equals(LOG) && !transport.equals(KAFKA)) {
                throw new UsageException("--route " + route + " names an unknown transport; there are kafka and log");
            }
            transports.put(destination(route), transport);
        }
        Map<String, Integer> limits = new LinkedHashMap<>();
        for (String rate : rates) {
            limits.put(known(transports, rate), number(rate));
        }
        if (outbox != null && brokers == null) {
            throw new UsageException("--outbox is for routes to kafka");
        }
        return new RouteOptions(transports, limits, kafka(transports, brokers), outbox);
    }

    RouteTransports open(PrintStream out) {
        return RouteTransports.open(this, out);
    }

    private static String known(Map<String, String> transports, String rate) {
        number(rate);
        String limited = destination(rate);
        if (!transports.containsKey(limited)) {
            throw new UsageException("--rate " + rate + " is for a destination without a --route");
        }
        return limited;
    }

    private static int number(String rate) {
        try {
            int number = Integer.parseInt(value("--rate", "<n>", rate));
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Like a number that is too small.
        }
        throw new UsageException("--rate " + rate + " needs a whole number from 1 on");
    }

    private static @Nullable KafkaTransportConfig kafka(Map<String, String> transports, @Nullable String brokers) {
        boolean wanted = transports.containsValue(KAFKA);
        if (wanted != (brokers != null)) {
            throw new UsageException(
                    wanted ? "a route to kafka needs --brokers host:port" : "--brokers is for routes to kafka");
        }
        if (brokers == null) {
            return null;
        }
        try {
            KafkaTransportConfig config = KafkaTransportConfig.of(brokers);
            transports.forEach((destination, transport) -> {
                if (transport.equals(KAFKA)) {
                    config.topicOf(destination);
                }
            });
            return config;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String destination(String option) {
        return option.substring(0, option.indexOf('='));
    }

    private static String value(String name, String what, String option) {
        int end = option.indexOf('=');
        if (end < 1 || end == option.length() - 1) {
            throw new UsageException(name + " " + option + " is not of the form <destination>=" + what);
        }
        return option.substring(end + 1);
    }
}
