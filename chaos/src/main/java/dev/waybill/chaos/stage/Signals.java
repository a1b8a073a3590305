package dev.waybill.chaos.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Sends signals, which Java cannot. */
final class Signals {
    private Signals() {}

    /** Sends one to some processes in one go; those that have ended meanwhile are passed over. */
    static void send(String signal, List<Long> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(process -> command.add(String.valueOf(process)));
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("A signal could not be sent: this command needs 'kill'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
