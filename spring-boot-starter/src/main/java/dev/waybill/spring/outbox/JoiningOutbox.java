package dev.waybill.spring.outbox;

import dev.waybill.outbox.TypedOutbox;

/** An outbox of one of several data sources, which knows whether it is the one to publish with. Thread-safe. */
public interface JoiningOutbox extends TypedOutbox {

    /** Whether the innermost transaction of the calling thread is one of this outbox's data source. */
    boolean isOpen();
}
