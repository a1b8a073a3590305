package dev.waybill.server.ops;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.server.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A replay for people and for programs. */
final class Replayed {

    private Replayed() {}

    static String words(Replay replay) {
        return "replay " + replay.generation() + " is " + state(replay) + ": " + Words.count(replay.replayed(), "event")
                + " put into the outbox";
    }

    static String state(Replay replay) {
        return replay.state().name().toLowerCase(Locale.ROOT);
    }

    static String conditions(ReplayFilter filter) {
        List<String> conditions = new ArrayList<>();
        add(conditions, "destination", filter.destination());
        add(conditions, "key", filter.key());
        add(conditions, "type", filter.type());
        return conditions.isEmpty() ? "all" : String.join(", ", conditions);
    }

    private static void add(List<String> conditions, String name, @Nullable String value) {
        if (value != null) {
            conditions.add(name + " " + value);
        }
    }

    static Figures figures(Replay replay) {
        ReplayFilter filter = replay.filter();
        return new Figures()
                .with("replay", replay.generation())
                .with("state", replay.state())
                .with("replayed", replay.replayed())
                .with("perSecond", replay.perSecond())
                .with("from", filter.from())
                .with("to", filter.to())
                .with("destination", filter.destination())
                .with("key", filter.key())
                .with("type", filter.type())
                .with("position", replay.position())
                .with("startedAt", replay.startedAt())
                .with("endedAt", replay.endedAt());
    }
}
