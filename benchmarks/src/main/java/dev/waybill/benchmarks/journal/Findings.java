package dev.waybill.benchmarks.journal;

/**
 * What a comparison of what was published with what was received has found.
 *
 * @param published  messages whose transaction committed
 * @param received   different messages that arrived
 * @param lost       published and never received
 * @param ghosts     received and never published
 * @param doubled    arrivals beyond the first of a message
 * @param outOfOrder messages that came after a later one of their key
 */
public record Findings(long published, long received, long lost, long ghosts, long doubled, long outOfOrder) {
    public static final Findings NONE = new Findings(0, 0, 0, 0, 0, 0);

    public Findings plus(Findings other) {
        return new Findings(
                published + other.published,
                received + other.received,
                lost + other.lost,
                ghosts + other.ghosts,
                doubled + other.doubled,
                outOfOrder + other.outOfOrder);
    }
}
