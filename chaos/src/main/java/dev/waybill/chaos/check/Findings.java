package dev.waybill.chaos.check;

import java.util.List;

/**
 * What the comparison of books, topics and effects brought to light. Immutable.
 *
 * @param committed          events of committed transactions
 * @param undone             events that were rolled back, with their transaction or to a savepoint
 * @param unknown            transactions whose writer did not learn, or not live to write down, what became of them
 * @param unknownCommitted   those of them that the database has
 * @param contradictions     transactions of which the database says something else than their writers
 * @param records            records in the topics
 * @param duplicates         records whose event was in its topic before
 * @param duplicateBound     how many of these promise 4 allows for the faults that there were
 * @param lost               committed events that are not in a topic
 * @param ghosts             events in a topic that were not committed
 * @param outOfOrder         first records of events that came after one that they were committed before
 * @param received           what consumers logged, repetitions included
 * @param receivedGhosts     events that consumers logged and nobody committed
 * @param effects            rows in the table of effects
 * @param effectsMissing     committed events without effect
 * @param effectsDoubled     effects beyond the first of an event
 * @param effectsOfGhosts    effects of events that were not committed
 * @param effectsOutOfOrder  effects that came after one that they had to come before
 * @param deadLetters        events that relays gave up
 * @param consumerDeadLetters events that consumers gave up
 * @param leftOver           entries that are still in the outbox, or put aside by consumers
 * @param examples           some of what is wrong, in words
 */
public record Findings(
        long committed,
        long undone,
        long unknown,
        long unknownCommitted,
        long contradictions,
        long records,
        long duplicates,
        long duplicateBound,
        long lost,
        long ghosts,
        long outOfOrder,
        long received,
        long receivedGhosts,
        long effects,
        long effectsMissing,
        long effectsDoubled,
        long effectsOfGhosts,
        long effectsOutOfOrder,
        long deadLetters,
        long consumerDeadLetters,
        long leftOver,
        List<String> examples) {
    public Findings {
        examples = List.copyOf(examples);
    }
}
