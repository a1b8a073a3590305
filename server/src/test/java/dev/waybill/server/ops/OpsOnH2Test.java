package dev.waybill.server.ops;

import dev.waybill.server.cli.Pools;

class OpsOnH2Test extends OpsScenarios {

    @Override
    Pools.Target freshDatabase() {
        return new Pools.Target("jdbc:h2:file:" + folder.resolve("outbox").toAbsolutePath(), "sa", null);
    }
}
