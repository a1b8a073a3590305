package dev.waybill.spring.inbox;

import dev.waybill.inbox.InboxConfig;

/**
 * How one consumer works. Immutable.
 *
 * @param enabled           whether its handlers run in this process; if not, what is delivered within the process waits
 * @param config            how it deals with what fails
 * @param ignoresOtherTypes whether it passes over events that it has no handler for
 */
public record ConsumerSettings(boolean enabled, InboxConfig config, boolean ignoresOtherTypes) {}
