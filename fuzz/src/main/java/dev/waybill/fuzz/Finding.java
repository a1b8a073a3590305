package dev.waybill.fuzz;

/**
 * An input that a target does not deal with. Immutable.
 *
 * @param line   the input, as it belongs into the target's corpus
 * @param reason what went wrong
 */
record Finding(String target, String line, String reason) {}
