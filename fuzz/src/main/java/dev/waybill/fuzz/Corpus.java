package dev.waybill.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;

/**
 * The inputs that are tried each time, one a line: what was thought of, and what was found.
 *
 * <p>A line is the input's fields with a bar between them. A backslash begins {@code \n}, {@code \\}, {@code \|} or {@code
 * \x} with two hexadecimal digits; lines that begin with {@code #} are for the reader.
 */
final class Corpus {
    private static final HexFormat HEX = HexFormat.of();

    private Corpus() {}

    /** The lines for a target. */
    static List<String> of(String target) {
        String path = "corpus/" + target + ".txt";
        try (InputStream in = Corpus.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("Target " + target + " has no inputs: " + path + " is missing");
            }
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The input of a line. */
    static byte[] read(String line) {
        byte[] text = line.getBytes(UTF_8);
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '|') {
                data.write(Input.SEPARATOR);
            } else if (text[i] != '\\') {
                data.write(text[i]);
            } else if (++i == text.length) {
                throw new IllegalArgumentException("A line ends within an escape: " + line);
            } else if (text[i] == 'x') {
                data.write(HexFormat.fromHexDigits(new String(text, i + 1, 2, UTF_8)));
                i += 2;
            } else {
                data.write(text[i] == 'n' ? '\n' : text[i]);
            }
        }
        return data.toByteArray();
    }

    /** The line of an input. */
    static String write(byte[] data) {
        StringBuilder line = new StringBuilder();
        for (byte one : data) {
            if (one == Input.SEPARATOR) {
                line.append('|');
            } else if (one == '\\' || one == '|') {
                line.append('\\').append((char) one);
            } else if (one >= ' ' && one < 0x7f && !(one == '#' && line.isEmpty())) {
                line.append((char) one);
            } else {
                line.append("\\x").append(HEX.toHexDigits(one));
            }
        }
        return line.toString();
    }
}
