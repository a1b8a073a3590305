package dev.waybill.benchmarks.contender;

/** Where a contender delivers to; any thread may call it. */
public interface Receiver {

    /** A message has arrived; returning is the acknowledgement. */
    void received(String key, byte[] payload);
}
