package dev.waybill.server.ops;

import dev.waybill.event.Payload;
import dev.waybill.server.cli.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A payload on a screen: as text if it is one, else as a hex dump, and never more than fits. */
final class PayloadView {
    static final int MOST_LINES = 40;

    private static final int MOST_COLUMNS = 160;
    private static final int BYTES_A_LINE = 16;

    private PayloadView() {}

    static List<String> lines(Payload payload, String ellipsis) {
        List<String> all = text(payload).map(text -> wrapped(text, ellipsis)).orElseGet(() -> dump(payload.buffer()));
        if (all.size() <= MOST_LINES) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, MOST_LINES));
        some.add(ellipsis + " and more; --payload <file> writes all of it");
        return some;
    }

    /** Valid UTF-8 without control characters but tabs and line breaks. */
    static Optional<String> text(Payload payload) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(payload.buffer()).toString();
            boolean readable =
                    text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r');
            return readable ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static List<String> wrapped(String text, String ellipsis) {
        return text.lines()
                .limit(MOST_LINES + 1L)
                .map(line -> Printable.cut(Printable.of(line.replace("\t", "    ")), MOST_COLUMNS, ellipsis))
                .toList();
    }

    private static List<String> dump(ByteBuffer bytes) {
        List<String> lines = new ArrayList<>();
        for (int offset = 0; bytes.hasRemaining() && lines.size() <= MOST_LINES; offset += BYTES_A_LINE) {
            StringBuilder hex = new StringBuilder();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < BYTES_A_LINE && bytes.hasRemaining(); i++) {
                int value = bytes.get() & 0xff;
                hex.append(String.format(Locale.ROOT, "%02x ", value));
                text.append(value >= ' ' && value < 0x7f ? (char) value : '.');
            }
            lines.add(String.format(Locale.ROOT, "%06x  %-48s |%s|", offset, hex, text));
        }
        return lines;
    }
}
