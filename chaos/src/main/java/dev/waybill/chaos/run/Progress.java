package dev.waybill.chaos.run;

import dev.waybill.server.cli.Terminal;
import java.time.Duration;
import java.util.Locale;

/** Says on standard error what is going on. Thread-safe. */
public final class Progress {
    private final Terminal terminal;
    private final long start = System.nanoTime();

    public Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    public synchronized void say(String text) {
        Duration since = Duration.ofNanos(System.nanoTime() - start);
        terminal.err()
                .println(String.format(Locale.ROOT, "%02d:%02d  %s", since.toMinutes(), since.toSecondsPart(), text));
    }
}
