package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Message;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A payload as text, for peers that store JSON: the numbers at its beginning as hexadecimal digits, then its letters as
 * they are. Nothing of it needs an escape, and it is hardly longer than the bytes.
 */
final class Text {
    private static final HexFormat HEX = HexFormat.of();

    private Text() {}

    static String of(byte[] payload) {
        StringBuilder text = new StringBuilder(payload.length + Message.HEAD);
        text.append(HEX.formatHex(payload, 0, Message.HEAD));
        return text.append(
                        new String(payload, Message.HEAD, payload.length - Message.HEAD, StandardCharsets.ISO_8859_1))
                .toString();
    }

    static byte[] toPayload(String text) {
        byte[] letters = text.substring(2 * Message.HEAD).getBytes(StandardCharsets.ISO_8859_1);
        byte[] payload = new byte[Message.HEAD + letters.length];
        byte[] head = HEX.parseHex(text, 0, 2 * Message.HEAD);
        System.arraycopy(head, 0, payload, 0, head.length);
        System.arraycopy(letters, 0, payload, head.length, letters.length);
        return payload;
    }
}
