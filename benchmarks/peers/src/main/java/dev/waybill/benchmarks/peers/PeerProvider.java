package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.ContenderProvider;
import dev.waybill.benchmarks.contender.Site;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The peers by name. Immutable. */
public final class PeerProvider implements ContenderProvider {
    private static final Map<String, Function<Site, Contender>> PEERS = new TreeMap<>(Map.of(
            GruelboxContender.NAME, GruelboxContender::new,
            DbSchedulerContender.NAME, DbSchedulerContender::new,
            ModulithContender.NAME, ModulithContender::new,
            NamastackContender.NAME, NamastackContender::new,
            DebeziumContender.NAME, DebeziumContender::new));

    @Override
    public Set<String> names() {
        return PEERS.keySet();
    }

    @Override
    public Contender create(String name, Site site) {
        Function<Site, Contender> peer = PEERS.get(name);
        if (peer == null) {
            throw new IllegalArgumentException("No peer is called " + name + ": choose one of " + names());
        }
        return peer.apply(site);
    }
}
