package dev.waybill.examples.shop.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.server.Main;
import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** Runs commands in this JVM and keeps what they print. */
final class RecordedTerminal {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    int run(String... args) {
        return Main.run(Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)), args);
    }

    String out() {
        return out.toString(UTF_8);
    }

    String err() {
        return err.toString(UTF_8);
    }
}
