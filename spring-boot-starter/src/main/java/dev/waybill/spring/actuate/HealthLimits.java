package dev.waybill.spring.actuate;

import java.time.Duration;

/**
 * What is still healthy. Immutable.
 *
 * @param oldestAge   the oldest pending event may be so old; zero: any age
 * @param deadLetters so many dead letters may wait for a decision; negative: any number
 * @param handover    for so long shards may be without a relay: one that came or went
 * @param patience    after this a store that has not answered is down
 */
public record HealthLimits(Duration oldestAge, long deadLetters, Duration handover, Duration patience) {}
