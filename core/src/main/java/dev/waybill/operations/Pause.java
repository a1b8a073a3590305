package dev.waybill.operations;

import dev.waybill.audit.Signature;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A destination or a key that somebody holds back.
 *
 * @param key {@code null}: the whole destination
 */
public record Pause(String destination, @Nullable String key, Instant since, Signature signature) {}
