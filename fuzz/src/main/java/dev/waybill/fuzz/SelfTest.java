package dev.waybill.fuzz;

/** Breaks for an input that no corpus has and chance would not find: what cannot fail proves nothing. */
final class SelfTest implements FuzzTarget {
    static final String NAME = "self-test";

    @Override
    public void check(Input input) {
        Expect.that(!input.text().equals("waybill"), "The self-test breaks");
    }
}
