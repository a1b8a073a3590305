package dev.waybill.chaos.journal;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that a writer is about to publish.
 *
 * @param kept whether it stays in its transaction: others are undone by a rollback to a savepoint
 */
public record Intent(UUID id, String destination, @Nullable String key, boolean kept) {}
