package dev.waybill.spring.actuate;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.store.Entry;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter, as the endpoint shows it. Immutable.
 *
 * @param consumer    who could not handle it; {@code null}: it could not be delivered
 * @param publishedTo its destination
 * @param content     only if it was asked for: it may hold personal data
 */
record LetterView(
        long sequence,
        String eventId,
        String publishedTo,
        @Nullable String consumer,
        @Nullable String key,
        String type,
        int version,
        String state,
        String occurredAt,
        String diedAt,
        int attempts,
        int replays,
        boolean parksKey,
        @Nullable String reason,
        @Nullable Content content) {

    /**
     * What the event carries.
     *
     * @param payload as text, or in Base64 if it is none
     */
    record Content(Map<String, String> headers, String contentType, int size, boolean base64, String payload) {}

    /** Without the content, and of the reason its first line. */
    static LetterView brief(DeadLetter letter) {
        String reason = letter.entry().lastError();
        return of(letter, reason == null ? null : reason.lines().findFirst().orElse(""), null);
    }

    /** With the whole reason. */
    static LetterView full(DeadLetter letter) {
        return of(letter, letter.entry().lastError(), null);
    }

    static LetterView withContent(DeadLetter letter) {
        return of(letter, letter.entry().lastError(), content(letter.entry().event()));
    }

    private static LetterView of(DeadLetter letter, @Nullable String reason, @Nullable Content content) {
        Entry entry = letter.entry();
        Event event = entry.event();
        return new LetterView(
                entry.sequence(),
                event.id().toString(),
                letter.publishedTo(),
                letter.consumer().orElse(null),
                event.key(),
                event.type(),
                event.version(),
                letter.state().name(),
                event.occurredAt().toString(),
                letter.diedAt().toString(),
                entry.attempts(),
                letter.replays(),
                letter.parksKey(),
                reason,
                content);
    }

    private static Content content(Event event) {
        Payload payload = event.payload();
        String text = text(payload);
        return new Content(
                event.headers(),
                event.contentType(),
                payload.size(),
                text == null,
                text == null ? Base64.getEncoder().encodeToString(payload.bytes()) : text);
    }

    private static @Nullable String text(Payload payload) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(payload.buffer()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
