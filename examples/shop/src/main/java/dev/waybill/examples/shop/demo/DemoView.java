package dev.waybill.examples.shop.demo;

/** Shows the demo while it runs. Used by one thread. */
interface DemoView extends AutoCloseable {

    void show(Snapshot snapshot);

    /** Leaves the terminal as it was found, with the last state still to be seen. Idempotent. */
    @Override
    void close();
}
