package dev.waybill.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/** Runs commands in this JVM and keeps what they print. */
public final class RecordedTerminal {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    public int run(String... args) {
        return Main.run(terminal(), args);
    }

    /** Runs a command that somebody types something to. */
    public int runTyping(String typed, String... args) {
        Terminal plain = terminal();
        InputStream in = new ByteArrayInputStream(typed.getBytes(UTF_8));
        return Main.run(new Terminal(in, plain.out(), plain.err(), false, false, true), args);
    }

    public Terminal terminal() {
        return Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    public String out() {
        return out.toString(UTF_8);
    }

    public String err() {
        return err.toString(UTF_8);
    }
}
