package dev.waybill.transport;

/** A transport whose destinations take no more than so many bytes. Thread-safe. */
public interface SizeLimited {

    /** The largest payload that can be delivered; larger ones are best refused where they are published. */
    int maxPayloadBytes();
}
