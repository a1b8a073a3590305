package dev.waybill.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.deadletter.Correction;
import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.store.Shards;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an event, as applications and people who correct dead letters give them. */
public final class EventTarget implements FuzzTarget {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    @Override
    public void check(Input input) {
        Event event;
        try {
            event = read(input);
        } catch (InvalidEventException e) {
            Expect.refusal(e);
            return;
        }
        checkStorable(event);
        checkCorrection(event, input);
    }

    private static Event read(Input input) {
        Event.Builder event = Event.to(input.text()).type(input.text()).version(input.integer());
        String key = input.textOrNull();
        if (key != null) {
            event.key(key);
        }
        event.contentType(input.text()).occurredAt(input.time());
        input.map().forEach(event::header);
        switch (input.oneOf(0, 1, 2)) {
            case 0 -> {}
            case 1 -> event.availableAt(input.time());
            default -> event.availableIn(input.duration());
        }
        return event.payload(input.bytes()).build();
    }

    /** What is accepted can be kept by every store and comes back as it was. */
    private static void checkStorable(Event event) {
        Expect.that(Shards.of(event) >= 0 && Shards.of(event) < Shards.COUNT, "There is no such shard");
        if (event.key() != null) {
            checkText(event.key());
        }
        event.headers().forEach((name, value) -> {
            checkText(name);
            checkText(value);
            Expect.that(value.chars().noneMatch(c -> c == '\n' || c == '\r'), "A header could add headers of its own");
        });
        checkTime(event.occurredAt());
        checkTime(event.availableAt());
        Expect.equal(event.withHeaders(event.headers()), event, "An event with its own headers");
    }

    private static void checkText(String text) {
        Expect.equal(new String(text.getBytes(UTF_8), UTF_8), text, "A text that was stored");
        Expect.that(text.indexOf(0) < 0, "Databases cannot store NUL");
    }

    private static void checkTime(@Nullable Instant time) {
        if (time != null) {
            Expect.that(!time.isBefore(EARLIEST) && !time.isAfter(LATEST), "Databases cannot store " + time);
            Expect.equal(time.truncatedTo(ChronoUnit.MICROS), time, "Databases keep microseconds");
        }
    }

    private static void checkCorrection(Event event, Input input) {
        String type = input.textOrNull();
        Integer version = input.flag() ? Integer.valueOf(input.integer()) : null;
        String contentType = input.textOrNull();
        Map<String, String> headers = input.flag() ? input.map() : null;
        try {
            Event corrected = new Correction(type, version, Payload.of(input.bytes()), contentType, headers).of(event);
            Expect.equal(corrected.id(), event.id(), "The id of a corrected event");
            Expect.equal(corrected.destination(), event.destination(), "The destination of a corrected event");
            Expect.equal(corrected.key(), event.key(), "The key of a corrected event");
            checkStorable(corrected);
        } catch (InvalidEventException e) {
            Expect.refusal(e);
        }
        Expect.equal(Correction.none().of(event), event, "An event that is not corrected");
    }
}
