package dev.waybill.benchmarks.raw;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.ContenderProvider;
import dev.waybill.benchmarks.contender.Site;
import java.util.Set;

/** Makes the limits that Waybill and its peers are compared with. */
public final class RawProvider implements ContenderProvider {
    /** Business rows alone. */
    public static final String NO_OUTBOX = "no outbox";
    /** Inserts into an outbox by hand, and a loop that reads and deletes: one connection, no order. */
    public static final String BY_HAND = "raw JDBC";
    /** Tells another process of a commit, and nothing else. */
    public static final String NOTIFY = "raw NOTIFY";
    /** The same loop that sends to Kafka, with several batches on their way. */
    public static final String KAFKA = "raw Kafka loop";

    @Override
    public Set<String> names() {
        return Set.of(NO_OUTBOX, BY_HAND, NOTIFY, KAFKA);
    }

    @Override
    public Contender create(String name, Site site) {
        return switch (name) {
            case NO_OUTBOX -> new NoOutbox(site);
            case NOTIFY -> new RawNotify(site);
            case KAFKA -> new RawKafka(site);
            default -> new RawOutbox(site);
        };
    }
}
