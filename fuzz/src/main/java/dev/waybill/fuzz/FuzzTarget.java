package dev.waybill.fuzz;

/** Something that reads what comes from outside, and what must hold whatever that is. Not thread-safe. */
public interface FuzzTarget {

    /** Reads one input; throws what is wrong, if something is. What is refused as documented is right. */
    void check(Input input);
}
