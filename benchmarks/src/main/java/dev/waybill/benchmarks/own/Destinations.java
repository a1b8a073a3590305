package dev.waybill.benchmarks.own;

import dev.waybill.benchmarks.contender.Trouble;

/** Where Waybill's messages go: to one destination, or some of them to a second one, which may be down. */
enum Destinations {
    ONE,
    TWO,
    SECOND_IS_DOWN;

    static final String FIRST = "bench";
    static final String SECOND = "bench-second";

    String of(long key) {
        return this != ONE && Trouble.isOfSecondDestination(key) ? SECOND : FIRST;
    }
}
