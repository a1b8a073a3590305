package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.contender.Site;
import dev.waybill.benchmarks.journal.Checker;
import dev.waybill.benchmarks.journal.Findings;
import dev.waybill.benchmarks.journal.Journal;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.report.Figure;
import dev.waybill.benchmarks.report.Report;
import dev.waybill.benchmarks.worker.Runner;
import dev.waybill.benchmarks.worker.WorkerException;
import dev.waybill.benchmarks.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What scenarios work with. Not thread-safe.
 *
 * @param folder         for files of a scenario's own
 * @param peers          the peers that take part; empty: none do
 * @param peersClassPath of the peers' workers
 */
record Bench(
        Server server,
        Workers workers,
        Report report,
        Progress progress,
        Sizes sizes,
        Path folder,
        List<String> peers,
        @Nullable String peersClassPath) {
    static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int HEAP = 512;

    /** Starts a contender in a worker of its own, in a database of this name. */
    Runner contender(String contender, String database, Map<String, String> options) {
        return contender(contender, database, options, HEAP);
    }

    Runner contender(String contender, String database, Map<String, String> options, int heapMegabytes) {
        return contender(contender, server.site(database, Sizes.WRITERS, options), heapMegabytes);
    }

    Runner contender(String contender, Site site, int heapMegabytes) {
        progress.step("starting " + contender);
        boolean peer = peersClassPath != null && peers.contains(contender);
        String classPath = peer ? peersClassPath : System.getProperty("java.class.path");
        Runner runner = workers.start(contender, site, String.valueOf(classPath), heapMegabytes);
        report.settings(contender, runner.settings() + ", heap " + heapMegabytes + " MB");
        return runner;
    }

    /** The peers that start, each in a database of its own. */
    List<Runner> startPeers() {
        List<Runner> started = new ArrayList<>();
        for (String name : peers) {
            try {
                started.add(peer(name));
            } catch (WorkerException e) {
                report.note(name + " is left out, because it did not start: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
        }
        return started;
    }

    private Runner peer(String name) {
        return contender(name, "peer_" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"), Map.of());
    }

    /** All figures of all that got through all rounds. */
    Map<String, double[]> rounds(Rounds rounds, int count) {
        Map<String, double[]> figures = rounds.run(count, progress::round);
        figures.values().removeIf(each -> DoubleStream.of(each).anyMatch(Double::isNaN));
        return figures;
    }

    /** Measures a peer: one that fails is left out, with a note, and does not cost the others their result. */
    Rounds.Measure peerMeasure(String name, Rounds.Measure measure) {
        return () -> {
            try {
                return measure.figure();
            } catch (WorkerException e) {
                report.note(name + " is left out, because it failed: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                return Double.NaN;
            }
        };
    }

    void figures(String scenario, String what, String unit, Map<String, double[]> figures) {
        figures.forEach((contender, each) -> report.figure(Figure.of(scenario, what, contender, unit, each)));
    }

    /** A relay runs for days: what it does in its first seconds, while it is compiled, says nothing about that. */
    void warmUp(Runner runner, Rounds.Measure measure) {
        warmUp(runner, measure, sizes.warmUps());
    }

    void warmUp(Runner runner, Rounds.Measure measure, int times) {
        for (int i = 0; i < times; i++) {
            progress.step("warming up, " + runner.contender());
            measure.figure();
        }
    }

    /** Drains a backlog from empty tables, and tells how many messages a second were received. */
    double drain(Runner runner, int messages) {
        return drain(runner, messages, Sizes.KEYS);
    }

    double drain(Runner runner, int messages, int keys) {
        runner.install();
        server.checkpoint();
        runner.fill(messages, keys, Sizes.PAYLOAD);
        return drainFilled(runner, messages);
    }

    double drainFilled(Runner runner, int messages) {
        runner.start();
        Runner.Received received = runner.await(messages, PATIENCE);
        runner.stop();
        noteMissing(runner, received.messages(), messages);
        return received.perSecond();
    }

    void noteMissing(Runner runner, long received, long expected) {
        if (received < expected) {
            report.note(runner.contender() + " delivered " + received + " of " + expected + " messages within "
                    + PATIENCE.toMinutes() + " minutes");
        }
    }

    /** Compares what Waybill received with a backlog of so many messages. */
    void checkBacklog(String scenario, int messages, List<Runner> receivers) {
        Checker checker = new Checker();
        checker.publishedUpTo(messages);
        receivers.forEach(receiver -> read(checker, receiver.received()));
        report.findings(scenario, checker.findings());
    }

    /** Compares what Waybill received with the messages of a backlog that it was able to deliver. */
    void checkBacklog(String scenario, int messages, Runner receiver, LongPredicate deliverable) {
        Checker checker = new Checker();
        for (long number = 1; number <= messages; number++) {
            if (deliverable.test(number % Sizes.KEYS)) {
                checker.published(number);
            }
        }
        read(checker, receiver.received());
        report.findings(scenario, checker.findings());
    }

    static void read(Checker checker, Path received) {
        try {
            Journal.read(received, (key, number, at, begunAt) -> checker.received(key, number, at));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void readWritten(Checker checker, Path written) {
        try {
            Journal.read(written, (key, number, at, begunAt) -> checker.published(number));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compares what was written with what was received. */
    Findings check(Runner writer, List<Runner> receivers) {
        Checker checker = new Checker();
        readWritten(checker, writer.written());
        receivers.forEach(receiver -> read(checker, receiver.received()));
        return checker.findings();
    }
}
