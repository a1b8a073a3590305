package dev.waybill.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Reads all that Waybill logs, in place of whoever would: no input may forge a line. Thread-safe. */
final class LogWatch extends AppenderBase<ILoggingEvent> {
    private final AtomicReference<@Nullable String> forged = new AtomicReference<>();

    /** From now on nothing is written anywhere else. */
    static LogWatch install() {
        Logger all = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        all.detachAndStopAllAppenders();
        all.setLevel(Level.OFF);
        Logger ours = (Logger) LoggerFactory.getLogger("dev.waybill");
        ours.setLevel(Level.DEBUG);
        LogWatch watch = new LogWatch();
        watch.setContext(ours.getLoggerContext());
        watch.start();
        ours.addAppender(watch);
        return watch;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String line = event.getFormattedMessage();
        try {
            Expect.oneLine(line);
        } catch (BrokenException e) {
            forged.compareAndSet(null, event.getLoggerName() + ": " + line);
        }
    }

    /** The first line since the last call that was more than a line. */
    Optional<String> takeForged() {
        return Optional.ofNullable(forged.getAndSet(null));
    }
}
