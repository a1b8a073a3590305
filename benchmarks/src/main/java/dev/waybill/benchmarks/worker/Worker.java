package dev.waybill.benchmarks.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A worker's process, as the command sees it: it answers requests in their order. One thread calls it. */
final class Worker implements AutoCloseable {
    private static final int LOG_LINES = 15;
    private static final Duration END = Duration.ofSeconds(10);

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter requests;
    private final Queue<CompletableFuture<Words>> asked = new ConcurrentLinkedQueue<>();

    private Worker(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        requests = new BufferedWriter(process.outputWriter(UTF_8));
        Thread reader = new Thread(this::read, "worker-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process; what it says on standard error goes to the log. */
    static Worker start(String name, List<String> command, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new Worker(name, log, process);
    }

    /** Asks without waiting. */
    CompletableFuture<Words> ask(Words request) {
        CompletableFuture<Words> answer = new CompletableFuture<>();
        asked.add(answer);
        try {
            requests.write(Wire.line(request.values()));
            requests.newLine();
            requests.flush();
        } catch (IOException e) {
            fail("takes no more requests");
        }
        if (!process.isAlive()) {
            fail("has ended");
        }
        return answer;
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws WorkerException if it failed, or did not come in time: then the worker is ended
     */
    Words call(Words request, Duration patience) {
        return await(ask(request), request.text("do"), patience);
    }

    Words await(CompletableFuture<Words> answer, String what, Duration patience) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WorkerException known) {
                throw new WorkerException(known.getMessage() + " (asked to " + what + ")", e);
            }
            throw new WorkerException("worker " + name + " failed to " + what, e);
        } catch (TimeoutException e) {
            process.destroyForcibly();
            throw new WorkerException(
                    "worker " + name + " did not " + what + " within " + patience.toSeconds() + " s" + endOfLog(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerException("interrupted while worker " + name + " was asked to " + what, e);
        }
    }

    private void read() {
        try (BufferedReader answers = process.inputReader(UTF_8)) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                CompletableFuture<Words> next = asked.poll();
                if (next == null) {
                    continue;
                }
                answer(next, line);
            }
            process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
            fail("ended" + (process.isAlive() ? "" : " with exit code " + process.exitValue()));
        } catch (IOException e) {
            fail("cannot be heard any more");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(CompletableFuture<Words> next, String line) {
        try {
            Words words = new Words(Wire.read(line));
            if (words.flag("ok")) {
                next.complete(words);
            } else {
                next.completeExceptionally(
                        new WorkerException("worker " + name + " failed: " + words.text("reason") + endOfLog()));
            }
        } catch (IOException | IllegalArgumentException e) {
            next.completeExceptionally(
                    new WorkerException("worker " + name + " said '" + line + "', which is no answer" + endOfLog()));
        }
    }

    private void fail(String what) {
        WorkerException failure = new WorkerException("worker " + name + " " + what + endOfLog());
        for (CompletableFuture<Words> one = asked.poll(); one != null; one = asked.poll()) {
            one.completeExceptionally(failure);
        }
    }

    private String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log, Charset.defaultCharset());
            List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
            return last.isEmpty() ? "" : ". The end of its log:\n" + String.join("\n", last);
        } catch (IOException e) {
            return "";
        }
    }

    /** Lets it end by itself, which it does when there are no more requests; then without asking. */
    @Override
    public void close() {
        try {
            requests.close();
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
