package dev.waybill.testkit.sim;

/** A simulated process, which may die within any call. */
interface Mortal {

    String name();

    /** A killed process does not get past its next call. */
    void requireAlive();

    void crash(String when);

    /** Whether something with this probability happens here and now. */
    boolean strikes(double probability);
}
