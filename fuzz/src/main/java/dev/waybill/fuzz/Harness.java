package dev.waybill.fuzz;

/** Gives inputs to a target. Used by one thread. */
final class Harness {
    private static final LogWatch LOG = LogWatch.install();

    private final FuzzTarget target;

    Harness(String name) {
        target = Targets.create(name);
    }

    /** Throws what is wrong with the target, if something is. */
    void run(byte[] data) {
        target.check(new Input(data));
        LOG.takeForged().ifPresent(line -> {
            throw new BrokenException("A line of the log is more than one: " + line);
        });
    }
}
