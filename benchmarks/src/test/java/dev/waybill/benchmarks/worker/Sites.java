package dev.waybill.benchmarks.worker;

import dev.waybill.benchmarks.contender.Site;
import java.util.Map;

/** Sites for tests. */
final class Sites {
    static final Site NOWHERE = new Site("jdbc:none", "", "", 1, Map.of());

    private Sites() {}
}
