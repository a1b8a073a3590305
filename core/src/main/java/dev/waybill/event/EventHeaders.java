package dev.waybill.event;

/** Names of headers that Waybill gives a meaning to. */
public final class EventHeaders {

    /** The saga that an event is part of; set by the application. */
    public static final String SAGA_ID = "saga-id";

    /** What belongs together across services; set by the application. */
    public static final String CORRELATION_ID = "correlation-id";

    /** The service that published the event, as its consumer was told. */
    public static final String SOURCE = "source-service";

    /** Where an event came from that a consumer put aside: the destination that it was published to. */
    public static final String ORIGIN = "waybill-origin";

    /** The sequence in its outbox of an event that a consumer put aside. */
    public static final String ORIGIN_SEQUENCE = "waybill-origin-sequence";

    private EventHeaders() {}
}
