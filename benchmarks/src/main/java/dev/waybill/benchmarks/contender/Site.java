package dev.waybill.benchmarks.contender;

import java.util.Map;

/**
 * Where a contender works, and how much it is asked for.
 *
 * @param writers threads that call {@link Contender#transact} at a time: connections that it needs for them
 * @param options what a scenario asks for, such as {@code retention} ({@code PT0S}) or {@code kafka} (brokers)
 */
public record Site(String jdbcUrl, String user, String password, int writers, Map<String, String> options) {

    public Site {
        options = Map.copyOf(options);
    }
}
