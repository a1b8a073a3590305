package dev.waybill.benchmarks.report;

import static dev.waybill.benchmarks.report.Bar.Direction.AT_LEAST;
import static dev.waybill.benchmarks.report.Bar.Direction.AT_MOST;
import static dev.waybill.benchmarks.report.Bar.Direction.MORE_THAN;

/** All bars. Those with room get raised here; none is lowered to fit a result. */
public final class Bars {
    public static final Bar WRITE_ONE = new Bar("write", "one event, of a hand-written insert", AT_LEAST, 0.9);
    public static final Bar WRITE_TEN = new Bar("write", "ten events, of one multi-row insert", AT_LEAST, 0.85);

    public static final Bar DRAIN = new Bar("drain", "retention 0, of the raw loop", AT_LEAST, 0.5);
    public static final Bar DRAIN_KEPT = new Bar("drain", "retention 24 h, of its raw loop", AT_LEAST, 0.6);
    public static final Bar DRAIN_POLLING = new Bar("drain", "of the best polling peer", AT_LEAST, 15);
    public static final Bar DRAIN_DEBEZIUM = new Bar("drain", "of Debezium", MORE_THAN, 2);

    public static final Bar KAFKA = new Bar("kafka", "1,000 keys, of the raw pipelined loop", AT_LEAST, 0.5);

    public static final Bar LATENCY_P50 = new Bar("latency", "same JVM, 200 tx/s, p50 of the best peer's", AT_MOST, 2);
    public static final Bar LATENCY_P99 = new Bar("latency", "same JVM, 200 tx/s, p99 of the best peer's", AT_MOST, 2);
    public static final Bar LATENCY_OTHER_JVM =
            new Bar("latency", "other JVM, 200 tx/s, p50 of the raw NOTIFY's", AT_MOST, 2);

    public static final Bar GROWTH = new Bar("growth", "with a long history, of the plain drain", AT_LEAST, 0.85);
    public static final Bar HORIZON = new Bar("horizon", "under a held snapshot, of the plain drain", AT_LEAST, 0.85);
    public static final Bar POISON = new Bar("poison", "healthy keys, of the run without poison", AT_LEAST, 0.9);

    public static final Bar SCALE = new Bar("scale", "2 relay processes, of one", AT_LEAST, 0.9);
    public static final Bar SUSTAINABLE = new Bar("scale", "sustainable rate, of the write limit", AT_LEAST, 0.7);

    public static final Bar MEMORY = new Bar("memory", "most heap used by a relay, MB", AT_MOST, 128);

    public static final Bar MARIADB = new Bar("mariadb", "drain, of its raw loop", AT_LEAST, 0.4);
    public static final Bar H2 = new Bar("h2", "drain, of its raw loop", AT_LEAST, 0.4);

    /** In every scenario. */
    public static final Bar LOST = new Bar("", "lost", AT_MOST, 0);
    /** In every scenario. */
    public static final Bar OUT_OF_ORDER = new Bar("", "out of order", AT_MOST, 0);

    /** In every scenario that failed on its way. */
    public static final Bar COMPLETED = new Bar("", "completed", AT_LEAST, 1);

    private Bars() {}
}
