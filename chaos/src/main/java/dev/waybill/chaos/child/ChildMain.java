package dev.waybill.chaos.child;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main class of all child processes: {@code ChildMain <role> <name=value> ...}.
 *
 * <p>It says {@link #READY} when it works, and ends in an orderly way when its standard input does: also when its
 * parent is gone, so that nothing stays behind.
 */
public final class ChildMain {
    public static final String READY = "READY";

    private static final Logger LOG = LoggerFactory.getLogger(ChildMain.class);

    private ChildMain() {}

    public static void main(String[] args) {
        int code = 0;
        try (AutoCloseable role = open(args[0], Arguments.of(List.of(args).subList(1, args.length)))) {
            LOG.info("{} works", role);
            PrintStream parent =
                    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            parent.println(READY);
            awaitEnd();
        } catch (Exception | LinkageError e) {
            LOG.error("{} failed", args[0], e);
            code = 1;
        }
        // Clients may have left threads behind that would keep the process.
        Runtime.getRuntime().halt(code);
    }

    private static AutoCloseable open(String role, Arguments arguments) throws Exception {
        return switch (role) {
            case RelayRole.NAME -> RelayRole.open(arguments);
            case WriterRole.NAME -> WriterRole.open(arguments);
            case ConsumerRole.NAME -> ConsumerRole.open(arguments);
            case BrokerRole.NAME -> BrokerRole.open(arguments);
            default -> throw new IllegalArgumentException("there is no role " + role);
        };
    }

    private static void awaitEnd() throws IOException {
        try (InputStream parent = new FileInputStream(FileDescriptor.in)) {
            while (parent.read() >= 0) {
                // Only its end is of interest.
            }
        }
    }
}
