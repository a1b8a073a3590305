package dev.waybill.chaos.check;

import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.Settings;
import java.util.List;

/**
 * Promise 4 for the faults that there were: at most one window of entries that are sent and not yet settled comes again for each
 * fault, and for each relay that it strikes.
 */
final class DuplicateBound {
    private DuplicateBound() {}

    static long of(Settings settings, List<Episode> episodes) {
        long windows = episodes.stream()
                .mapToLong(episode -> windows(settings, episode))
                .sum();
        return settings.mode().duplicateBound(windows, settings.window());
    }

    private static long windows(Settings settings, Episode episode) {
        Fault fault = episode.fault();
        return switch (fault.kind()) {
            case RELAY_KILL, RELAY_PAUSE -> 1;
            case DATABASE_KILL, DISK_FULL, BROKER_KILL -> settings.relays();
            // A connection that is cut again and again is as many faults.
            case DATABASE_LINK, BROKER_LINK ->
                Math.max(episode.strikes(), fault.target() == Fault.ALL ? settings.relays() : 1);
            case WRITER_KILL, WRITER_PAUSE, CONSUMER_KILL, CONSUMER_PAUSE, HELD_TRANSACTION -> 0;
        };
    }
}
