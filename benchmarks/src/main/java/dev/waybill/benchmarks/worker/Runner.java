package dev.waybill.benchmarks.worker;

import dev.waybill.benchmarks.contender.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A contender in a worker of its own: what the command can ask it for. One thread calls it. */
public final class Runner implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofMinutes(20);

    /**
     * What was received so far.
     *
     * @param first when the first message came, in nanoseconds since 1970; 0: none came
     */
    public record Received(long messages, long first, long last) {

        /** Messages a second from the first to the last one. */
        public double perSecond() {
            return messages < 2 || last <= first ? 0 : (messages - 1) * 1e9 / (last - first);
        }
    }

    /** What was written. */
    public record Written(long transactions, double seconds) {
        public double perSecond() {
            return transactions / seconds;
        }
    }

    private final String contender;
    private final Worker worker;
    private final Path journals;
    private final String settings;
    private int opened;
    private Path closed;

    Runner(String contender, Worker worker, Path journals, Site site) {
        this.contender = contender;
        this.worker = worker;
        this.journals = journals;
        closed = journals.resolve("none");
        Words request = Station.site(Words.of("do", "create").with("contender", contender), site);
        settings = worker.call(request, PATIENCE).text("settings");
    }

    public String contender() {
        return contender;
    }

    public String settings() {
        return settings;
    }

    public void install() {
        worker.call(Words.of("do", "install"), LONG);
    }

    public void fill(int messages, int keys, int payloadBytes) {
        worker.call(
                Words.of("do", "fill")
                        .with("messages", messages)
                        .with("keys", keys)
                        .with("payloadBytes", payloadBytes),
                LONG);
    }

    public void start() {
        start(false);
    }

    /** Starts with messages among the others that nobody can take. */
    public void startPoisoned() {
        start(true);
    }

    private void start(boolean poison) {
        opened++;
        worker.call(Words.of("do", "start").with("journal", open()).with("poison", poison), PATIENCE);
    }

    /** Waits for so many messages, and tells what is there then, which may be less. */
    public Received await(long count, Duration patience) {
        Words request = Words.of("do", "await").with("count", count).with("patience", patience);
        return received(worker.call(request, patience.plus(PATIENCE)));
    }

    /** Goes on delivering with a new journal; what was received before is in {@link #received()} then. */
    public Received renew() {
        closed = open();
        opened++;
        return received(worker.call(Words.of("do", "renew").with("journal", open()), PATIENCE));
    }

    /** Ends delivering; what was received is in {@link #received()} then. */
    public Received stop() {
        return received(end());
    }

    /** Ends delivering, and tells how many bytes of the heap were used at most. */
    public long stopAndTellHeap() {
        return end().number("peakHeap");
    }

    private Words end() {
        closed = open();
        return worker.call(Words.of("do", "stop"), PATIENCE);
    }

    private Path open() {
        // Two in turn: one is open, and one was closed last.
        return journals.resolve("received-" + opened % 2);
    }

    /** Lets the writers write; what they wrote is in {@link #written()} then. */
    public Written write(Load load) {
        return beginWriting(load).get();
    }

    /** Lets the writers begin; asking for the result waits for their end. */
    public Supplier<Written> beginWriting(Load load) {
        Words request = load.write(Words.of("do", "write").with("journal", written()));
        CompletableFuture<Words> answer = worker.ask(request);
        return () -> {
            Words words = worker.await(answer, "write", load.time().plus(PATIENCE));
            return new Written(words.number("transactions"), words.real("seconds"));
        };
    }

    /** The journal that was closed last, by {@link #renew} or {@link #stop}. */
    public Path received() {
        return closed;
    }

    /** The journal of what was written last. */
    public Path written() {
        return journals.resolve("written");
    }

    private static Received received(Words words) {
        return new Received(words.number("lines"), words.number("first"), words.number("last"));
    }

    @Override
    public void close() {
        worker.close();
    }
}
