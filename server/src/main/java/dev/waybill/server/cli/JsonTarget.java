package dev.waybill.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the option {@code --json} sends the figures of a command: a file, or standard output. */
public record JsonTarget(String name) {

    /** Writes one JSON value. */
    public interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    public boolean isStandardOutput() {
        return name.equals("-");
    }

    /** Finds out before the work, rather than after it, that its report has nowhere to go. */
    public void requireWritable() {
        if (isStandardOutput()) {
            return;
        }
        try (OutputStream kept = Files.newOutputStream(Path.of(name), CREATE, APPEND)) {
            kept.flush();
        } catch (IOException e) {
            throw new UsageException("cannot write --json " + name + ": " + IoReasons.of(e), e);
        }
    }

    /** Replaces what the file held. */
    public void write(PrintStream standardOutput, Content content) {
        try {
            String text = text(content);
            if (isStandardOutput()) {
                standardOutput.print(text);
                standardOutput.flush();
            } else {
                Files.writeString(Path.of(name), text, UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(Content content) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            content.writeTo(json);
            json.writeRaw('\n');
        }
        return text.toString();
    }
}
