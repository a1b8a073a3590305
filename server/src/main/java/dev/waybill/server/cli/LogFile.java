package dev.waybill.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Sends all logging of this JVM to a file, from INFO on, so that it does not run across the view; until closed. */
public final class LogFile implements AutoCloseable {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20} %msg%n";

    private final Logger root;
    private final Level level;
    private final List<Appender<ILoggingEvent>> before = new ArrayList<>();
    private final FileAppender<ILoggingEvent> file;

    private LogFile(LoggerContext context, Path path) {
        root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        level = root.getLevel();
        root.iteratorForAppenders().forEachRemaining(before::add);
        file = appender(context, path);
        before.forEach(root::detachAppender);
        root.addAppender(file);
        root.setLevel(Level.INFO);
    }

    public static LogFile open(Path path) {
        return new LogFile((LoggerContext) LoggerFactory.getILoggerFactory(), path);
    }

    public Path path() {
        return Path.of(file.getFile());
    }

    @Override
    public void close() {
        root.detachAppender(file);
        before.forEach(root::addAppender);
        root.setLevel(level);
        file.stop();
    }

    private static FileAppender<ILoggingEvent> appender(LoggerContext context, Path path) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(path.toString());
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
