package dev.waybill.testkit.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The properties of a broker for one machine: small, quick to start, one replica of everything. Immutable.
 *
 * <p>Clients come in through the listener {@code CLIENT}, in plain text unless {@code listener.security.protocol.map} is
 * set.
 */
record BrokerSettings(int port, Map<String, String> properties) {
    static final String HOST = "127.0.0.1";
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    static final int NODE_ID = 1;

    BrokerSettings {
        properties = Map.copyOf(properties);
    }

    static BrokerSettings on(Path folder, Map<String, String> own) {
        int port = FreePorts.next();
        int controllerPort = FreePorts.next();
        Map<String, String> all = new HashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", String.valueOf(NODE_ID));
        all.put("log.dirs", folder.toString());
        all.put("listeners", "CLIENT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort);
        all.put("advertised.listeners", "CLIENT://" + HOST + ":" + port);
        all.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("inter.broker.listener.name", "CLIENT");
        all.put("controller.listener.names", CONTROLLER_LISTENER);
        all.put("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
        all.put("auto.create.topics.enable", "false");
        all.put("default.replication.factor", "1");
        oneReplica(all);
        quick(all);
        all.putAll(own);
        return new BrokerSettings(port, all);
    }

    private static void oneReplica(Map<String, String> all) {
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "4");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "4");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
    }

    private static void quick(Map<String, String> all) {
        all.put("num.network.threads", "2");
        all.put("num.io.threads", "4");
        all.put("background.threads", "2");
        all.put("log.cleaner.dedupe.buffer.size", String.valueOf(4 * 1024 * 1024));
        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("broker.heartbeat.interval.ms", "250");
        all.put("broker.session.timeout.ms", "3000");
        // A lone node elects itself; the long default makes every start wait.
        all.put("controller.quorum.election.timeout.ms", "200");
        all.put("controller.quorum.election.backoff.max.ms", "100");
    }
}
