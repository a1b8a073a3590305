package dev.waybill.store.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Payload;
import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Columns of a row, which other languages may write: payloads, headers, errors, times. */
public final class StoredRowTarget implements FuzzTarget {
    private static final int LONGEST_ERROR = 2_000;

    @Override
    public void check(Input input) {
        switch (input.oneOf(0, 1, 2, 3, 4)) {
            case 0 -> checkDeflated(Payload.of(input.bytes()), Math.max(0, input.integer()));
            case 1 -> checkInflated(input.bytes(), input.integer());
            case 2 -> checkHeaders(input.text());
            case 3 -> checkWritten(input.map());
            default -> checkColumns(input);
        }
    }

    private static void checkDeflated(Payload payload, int compressAbove) {
        StoredPayload stored = StoredPayload.of(payload, compressAbove);
        Expect.that(stored.bytes().length <= payload.size(), "A payload grows when it is stored");
        try {
            Expect.equal(stored.payload(), payload, "A payload that was stored");
        } catch (IOException e) {
            throw new IllegalStateException("A payload that was stored cannot be read", e);
        }
    }

    private static void checkInflated(byte[] bytes, int size) {
        try {
            Payload payload = new StoredPayload(bytes, size).payload();
            Expect.equal(payload.size(), size, "The size of a payload");
        } catch (IOException e) {
            Expect.refusal(e);
        }
    }

    private static void checkHeaders(String json) {
        try {
            Map<String, String> headers = HeadersJson.read(json);
            Expect.equal(HeadersJson.read(HeadersJson.write(headers)), headers, "Headers that were stored");
        } catch (IOException e) {
            Expect.refusal(e);
        }
    }

    private static void checkWritten(Map<String, String> headers) {
        boolean whole = headers.entrySet().stream().allMatch(header -> isWhole(header.getKey() + header.getValue()));
        try {
            Map<String, String> read = HeadersJson.read(HeadersJson.write(headers));
            Expect.that(!whole || read.equals(headers), "Headers that were stored: " + read);
        } catch (IOException e) {
            throw new IllegalStateException("Headers that were stored cannot be read", e);
        }
    }

    private static boolean isWhole(String text) {
        return new String(text.getBytes(UTF_8), UTF_8).equals(text);
    }

    private static void checkColumns(Input input) {
        String error = StoredText.error(input.text());
        Expect.that(error.length() <= LONGEST_ERROR, "No column holds an error of " + error.length());
        Expect.that(isWhole(error) && error.indexOf(0) < 0, "Databases refuse the error");
        Duration wait = input.duration();
        long micros = EntryRows.toMicros(wait);
        Expect.that(micros >= 0, "A wait of " + micros + " us");
        Duration stored = EntryRows.micros(micros);
        Expect.that(stored.compareTo(wait) <= 0 || wait.isNegative(), "A wait of " + wait + " became " + stored);
        Expect.that(!EntryRows.micros(input.number()).isNegative(), "A wait that is negative");
    }
}
