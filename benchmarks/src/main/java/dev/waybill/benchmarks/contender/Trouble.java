package dev.waybill.benchmarks.contender;

/** Which keys are in trouble when a scenario wants some that are. */
public final class Trouble {
    private static final int KEYS = 100;
    private static final int BAD = 13;
    private static final int SHARE = 20;
    private static final int SECOND = 7;

    private Trouble() {}

    /** One key of a hundred has messages that nobody can take. */
    public static boolean isPoisoned(long key) {
        return key % KEYS == BAD;
    }

    /** One key of twenty goes to a second destination, which may be down; none of them is poisoned. */
    public static boolean isOfSecondDestination(long key) {
        return key % SHARE == SECOND;
    }
}
