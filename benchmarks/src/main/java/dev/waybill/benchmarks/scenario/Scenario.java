package dev.waybill.benchmarks.scenario;

/** Something to measure. */
interface Scenario {

    /** Measures, and writes what it finds into the bench's report. */
    void run(Bench bench);
}
