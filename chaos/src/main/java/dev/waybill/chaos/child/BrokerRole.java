package dev.waybill.chaos.child;

import dev.waybill.testkit.kafka.KafkaBroker;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A broker in a process of its own, on the same ports and the same data each time. Besides the listener for everybody there is one
 * for each relay, which tells clients to come through that relay's proxy.
 */
public final class BrokerRole {
    public static final String NAME = "broker";

    private static final String HOST = "127.0.0.1:";

    private BrokerRole() {}

    static KafkaBroker open(Arguments arguments) {
        return KafkaBroker.start(arguments.path("folder"), settings(arguments));
    }

    private static Map<String, String> settings(Arguments arguments) {
        String controller = HOST + arguments.count("controllerPort");
        StringBuilder listeners = new StringBuilder("CONTROLLER://" + controller);
        StringBuilder advertised = new StringBuilder();
        StringBuilder protocols = new StringBuilder("CONTROLLER:PLAINTEXT");
        listener("CLIENT", arguments.count("port"), arguments.count("port"), listeners, advertised, protocols);
        int relay = 0;
        for (String ports : arguments.text("relayPorts").split(",", -1)) {
            String[] pair = ports.split(":", -1);
            listener(
                    "RELAY" + ++relay,
                    Integer.parseInt(pair[0]),
                    Integer.parseInt(pair[1]),
                    listeners,
                    advertised,
                    protocols);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("listeners", listeners.toString());
        settings.put("advertised.listeners", advertised.substring(1));
        settings.put("listener.security.protocol.map", protocols.toString());
        settings.put("controller.quorum.voters", "1@" + controller);
        settings.put("group.min.session.timeout.ms", "1000");
        // On a machine that is short of time the broker would else be fenced by its own controller, which is no fault
        // of ours.
        settings.put("broker.session.timeout.ms", "6000");
        return settings;
    }

    private static void listener(
            String name,
            int port,
            int advertisedPort,
            StringBuilder listeners,
            StringBuilder advertised,
            StringBuilder protocols) {
        listeners.append(',').append(name).append("://").append(HOST).append(port);
        advertised.append(',').append(name).append("://").append(HOST).append(advertisedPort);
        protocols.append(',').append(name).append(":PLAINTEXT");
    }
}
