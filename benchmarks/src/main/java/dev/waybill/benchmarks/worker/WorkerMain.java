package dev.waybill.benchmarks.worker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The main class of a worker: answers each line of standard input with a line of standard output, until it ends. */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] args) throws IOException {
        PrintStream answers = stream(FileDescriptor.out);
        // Standard output belongs to the protocol, whatever a contender's library thinks.
        System.setOut(stream(FileDescriptor.err));
        int code = 0;
        try (Station station = new Station();
                BufferedReader requests = new BufferedReader(
                        new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                answers.println(Wire.line(answer(station, line).values()));
                answers.flush();
            }
        } catch (RuntimeException | Error e) {
            logger().error("The worker did not end well", e);
            code = 1;
        }
        // Contenders may have left threads behind that would keep the process.
        Runtime.getRuntime().halt(code);
    }

    private static Words answer(Station station, String line) {
        try {
            return station.handle(new Words(Wire.read(line))).with("ok", true);
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            logger().error("Failed", e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return Words.of("ok", false).with("reason", e.toString());
        }
    }

    /** Not a constant: logging must not be set up before standard output is out of its reach. */
    private static Logger logger() {
        return LoggerFactory.getLogger(WorkerMain.class);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
