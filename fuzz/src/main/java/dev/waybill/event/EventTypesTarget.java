package dev.waybill.event;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Typed events: names and versions, upcasters and codecs that do what they should not. */
public final class EventTypesTarget implements FuzzTarget {

    private record Note(String text) {}

    /** Strict UTF-8, so that some payloads cannot be decoded. */
    private static final class NoteCodec implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return ((Note) value).text().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) throws IOException {
            return type.cast(new Note(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()));
        }
    }

    @Override
    public void check(Input input) {
        Event event;
        EventTypes types;
        try {
            event = Event.to("notes")
                    .type(input.text())
                    .version(input.integer())
                    .payload(input.bytes())
                    .build();
            types = types(input, event.type());
        } catch (InvalidEventException | IllegalArgumentException e) {
            Expect.refusal(e);
            return;
        }
        try {
            Object value = types.decode(event);
            Expect.that(value instanceof Note, "A value of another type");
            checkRoundTrip(types, (Note) value);
        } catch (UnknownEventTypeException | PayloadCodecException e) {
            Expect.that(e.getMessage() != null, "It is refused without a reason");
        }
    }

    private static EventTypes types(Input input, String type) {
        EventTypes.Builder types =
                EventTypes.builder().register(input.flag() ? input.text() : type, input.integer(), Note.class, codec());
        for (int left = input.count(); left > 0; left--) {
            int from = input.integer();
            int how = input.oneOf(0, 1, 2, 3, 4);
            types.upcast(type, from, older -> upcast(older, how));
        }
        return types.build();
    }

    private static PayloadCodec codec() {
        return new NoteCodec();
    }

    @SuppressWarnings("NullAway") // an upcaster of an application may well do that
    private static Event upcast(Event older, int how) {
        return switch (how) {
            case 0 -> older.inVersion(older.version() + 1, older.payload());
            case 1 -> older;
            case 2 -> Event.to("other").type(older.type()).build();
            case 3 -> null;
            default -> throw new IllegalStateException("no");
        };
    }

    private static void checkRoundTrip(EventTypes types, Note note) {
        Event written = types.event("notes", note).build();
        Expect.equal(types.decode(written), note, "A value that was written and read");
    }
}
