package dev.waybill.benchmarks.worker;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.ContenderProvider;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Site;
import dev.waybill.benchmarks.contender.Trouble;
import dev.waybill.benchmarks.contender.WallClock;
import dev.waybill.benchmarks.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does in the worker what the command asks for, with one contender. One thread calls it. */
final class Station implements AutoCloseable {
    private static final String OPTION = "option.";
    private static final long LOOK_MILLIS = 2;

    private final HeapWatch heap = new HeapWatch();
    private @Nullable Contender contender;
    private volatile @Nullable Journal received;

    static Words site(Words words, Site site) {
        Words all = words.with("url", site.jdbcUrl())
                .with("user", site.user())
                .with("password", site.password())
                .with("writers", site.writers());
        for (Map.Entry<String, String> option : site.options().entrySet()) {
            all = all.with(OPTION + option.getKey(), option.getValue());
        }
        return all;
    }

    Words handle(Words request) throws Exception {
        return switch (request.text("do")) {
            case "names" -> names();
            case "create" -> create(request);
            case "install" -> {
                contender().install();
                yield Words.none();
            }
            case "fill" -> {
                contender().fill(request.count("messages"), request.count("keys"), request.count("payloadBytes"));
                yield Words.none();
            }
            case "write" -> write(request);
            case "start" -> start(request);
            case "await" -> await(request.number("count"), request.duration("patience"));
            case "renew" -> renew(request);
            case "stop" -> stop();
            default -> throw new IllegalArgumentException("Nobody knows how to do '" + request.text("do") + "'");
        };
    }

    private static Words names() {
        TreeSet<String> names = new TreeSet<>();
        ServiceLoader.load(ContenderProvider.class).forEach(provider -> names.addAll(provider.names()));
        return Words.of("names", String.join("; ", names));
    }

    private Words create(Words request) throws Exception {
        if (contender != null) {
            throw new IllegalStateException("This worker has a contender already");
        }
        String name = request.text("contender");
        for (ContenderProvider provider : ServiceLoader.load(ContenderProvider.class)) {
            if (provider.names().contains(name)) {
                Contender created = provider.create(name, site(request));
                contender = created;
                return Words.of("settings", created.settings());
            }
        }
        throw new IllegalArgumentException("There is no contender '" + name + "'; there are " + names().text("names"));
    }

    private static Site site(Words request) {
        Map<String, String> options = new LinkedHashMap<>();
        request.values().forEach((name, value) -> {
            if (name.startsWith(OPTION)) {
                options.put(name.substring(OPTION.length()), value);
            }
        });
        return new Site(
                request.text("url"), request.text("user"), request.text("password"), request.count("writers"), options);
    }

    private Words write(Words request) throws Exception {
        try (Journal journal = Journal.open(Path.of(request.text("journal")))) {
            return Load.read(request).run(contender(), journal);
        }
    }

    private Words start(Words request) throws Exception {
        if (received != null) {
            throw new IllegalStateException("The contender was started already");
        }
        received = Journal.open(Path.of(request.text("journal")));
        heap.start();
        contender().start(request.flag("poison") ? this::receiveHealthy : this::receive);
        return Words.none();
    }

    /** Goes on with a new journal. Only while nothing arrives: what does meanwhile may get lost to both. */
    private Words renew(Words request) throws IOException {
        Journal before = started();
        received = Journal.open(Path.of(request.text("journal")));
        before.close();
        return told(before);
    }

    private void receive(String key, byte[] payload) {
        started()
                .add(
                        Message.keyOf(payload),
                        Message.numberOf(payload),
                        WallClock.nanos(),
                        Message.publishedNanosOf(payload));
    }

    /** One key of a hundred has messages that nobody can take. */
    private void receiveHealthy(String key, byte[] payload) {
        if (Trouble.isPoisoned(Message.keyOf(payload))) {
            throw new IllegalStateException("poison");
        }
        receive(key, payload);
    }

    /** Waits until so many have arrived, or for as long as it may. */
    private Words await(long count, Duration patience) throws InterruptedException {
        Journal journal = started();
        long end = System.nanoTime() + patience.toNanos();
        while (journal.lines() < count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return told(journal);
    }

    private Words stop() throws Exception {
        Journal journal = started();
        contender().stop();
        received = null;
        journal.close();
        return told(journal).with("peakHeap", heap.stop());
    }

    private static Words told(Journal journal) {
        return Words.of("lines", journal.lines()).with("first", journal.first()).with("last", journal.last());
    }

    private Contender contender() {
        if (contender == null) {
            throw new IllegalStateException("There is no contender yet");
        }
        return contender;
    }

    private Journal started() {
        Journal journal = received;
        if (journal == null) {
            throw new IllegalStateException("The contender is not started");
        }
        return journal;
    }

    @Override
    public void close() {
        if (contender != null) {
            contender.close();
        }
    }
}
