package dev.waybill.chaos.proxy;

/** What a network does to the connections that go through it. */
public enum Trouble {
    /** Connections are reset, new ones too. */
    RESET,
    /** Nothing arrives, in either direction. Connections of that time stay dead for good, without a word. */
    BLACK_HOLE,
    /** Requests arrive, answers do not. Connections of that time stay dead for good, without a word. */
    ONE_WAY,
    /** Everything arrives late. */
    LATENCY,
    /** Each connection is reset in the middle, after some bytes. */
    CUT_AFTER;

    public String text(int amount) {
        return switch (this) {
            case RESET -> "reset";
            case BLACK_HOLE -> "black hole";
            case ONE_WAY -> "answers lost";
            case LATENCY -> "latency of " + amount + " ms";
            case CUT_AFTER -> "cut after " + amount + " bytes";
        };
    }
}
