package dev.waybill.event;

/**
 * Turns typed values into payloads and back, for instance with the JSON library of the application.
 *
 * <p>Implementations are thread-safe. Whatever they throw reaches the caller as a {@link PayloadCodecException}
 * that names the event's type.
 */
public interface PayloadCodec {

    /** Media type of what {@link #encode} makes. */
    String contentType();

    byte[] encode(Object value) throws Exception;

    <T> T decode(byte[] bytes, Class<T> type) throws Exception;
}
