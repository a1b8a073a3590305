package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.Backlog;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import dev.waybill.examples.shop.demo.Snapshot.Incident;
import dev.waybill.examples.shop.demo.Snapshot.Phase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** One plain line a second, for files and pipes; what happened gets lines of its own. */
final class LineView implements DemoView {
    private final PrintStream out;
    private final News chaos;
    private final News errors = new News("error");
    private long lastSecond = -1;

    /** The word is for what is done on purpose. */
    LineView(PrintStream out, String word) {
        this.out = out;
        chaos = new News(word);
    }

    @Override
    public void show(Snapshot snapshot) {
        chaos.print(snapshot.chaos());
        errors.print(snapshot.errors());
        long second = snapshot.elapsed().toSeconds();
        if (second == lastSecond && snapshot.phase() != Phase.DONE) {
            return;
        }
        lastSecond = second;
        out.println(line(snapshot));
    }

    @Override
    public void close() {
        out.flush();
    }

    static String line(Snapshot snapshot) {
        ConsumerState consumer = snapshot.consumer();
        return consumer == null ? plain(snapshot) : plain(snapshot) + "  " + inbox(consumer);
    }

    private static String inbox(ConsumerState consumer) {
        return String.join(
                "  ",
                "retries " + Format.count(consumer.retries()),
                "aside " + Format.count(consumer.aside()) + " of " + Format.count(consumer.putAside()),
                "waiting behind " + Format.count(consumer.behind()),
                "dead " + Format.count(consumer.dead()) + ", resolved " + Format.count(consumer.resolved()),
                "breaker " + consumer.breaker());
    }

    private static String plain(Snapshot snapshot) {
        Counts counts = snapshot.counts();
        return String.join(
                "  ",
                Format.clock(snapshot.elapsed()),
                "written " + Format.count(counts.written()),
                "rolled back " + Format.count(counts.rolledBack()),
                "delivered " + Format.count(counts.delivered()) + " (" + Format.perSecond(snapshot.deliveredPerSecond())
                        + ")",
                backlog(snapshot),
                "p50 " + Format.millis(snapshot.recent().p50()),
                "p99 " + Format.millis(snapshot.recent().p99()),
                "shards " + shards(snapshot));
    }

    private static String backlog(Snapshot snapshot) {
        Backlog backlog = snapshot.backlog();
        return backlog == null
                ? "pending ?"
                : "pending " + Format.count(backlog.pending()) + " (oldest " + Format.seconds(backlog.oldest()) + ")";
    }

    private static String shards(Snapshot snapshot) {
        return snapshot.relays().stream()
                .map(relay -> relay.alive() ? Integer.toString(relay.shards()) : "-")
                .collect(Collectors.joining("+"));
    }

    /** Prints each incident of a kind once. */
    private final class News {
        private final String kind;
        private Duration printed = Duration.ZERO;

        News(String kind) {
            this.kind = kind;
        }

        void print(List<Incident> incidents) {
            for (Incident incident : incidents) {
                if (incident.at().compareTo(printed) > 0) {
                    printed = incident.at();
                    out.println(Format.clock(printed) + "  " + kind + ": " + incident.what());
                }
            }
        }
    }
}
