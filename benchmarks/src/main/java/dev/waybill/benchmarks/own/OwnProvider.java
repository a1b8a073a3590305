package dev.waybill.benchmarks.own;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.ContenderProvider;
import dev.waybill.benchmarks.contender.Site;
import java.util.Set;

/** Makes Waybill as a contender. */
public final class OwnProvider implements ContenderProvider {
    public static final String WAYBILL = "Waybill";
    public static final String EXACTLY_ONCE = "Waybill, exactly once";

    @Override
    public Set<String> names() {
        return Set.of(WAYBILL, EXACTLY_ONCE);
    }

    @Override
    public Contender create(String name, Site site) {
        return new WaybillContender(site);
    }
}
