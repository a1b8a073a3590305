package dev.waybill.benchmarks.worker;

import java.io.IOException;

/** A process that is no good worker: it dies, answers rubbish, or does not answer. */
final class FakeWorker {
    private FakeWorker() {}

    public static void main(String[] args) throws IOException {
        while (System.in.read() != '\n') {
            // Until it has been asked.
        }
        switch (args[0]) {
            case "die" -> {
                System.err.println("the last words");
                System.exit(7);
            }
            case "rubbish" -> System.out.println("what?");
            default -> {}
        }
        while (System.in.read() >= 0) {
            // Until it may end.
        }
    }
}
