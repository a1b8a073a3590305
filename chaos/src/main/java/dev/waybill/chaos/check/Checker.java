package dev.waybill.chaos.check;

import dev.waybill.chaos.clock.TimeOfDay;
import dev.waybill.chaos.journal.WrittenTransaction;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.testkit.check.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Compares what writers committed with what is in the topics, what consumers received, and what took effect. */
public final class Checker {
    private static final int EXAMPLES = 10;

    private final Settings settings;
    private final Books books;
    private final Map<UUID, WrittenTransaction> committed;
    private final List<Arrival> records;
    private final List<Arrival> effects;
    private final List<UUID> received;
    private final List<String> examples = new ArrayList<>();

    private Checker(Settings settings, Books books, List<Arrival> records, List<Arrival> effects, List<UUID> received) {
        this.settings = settings;
        this.books = books;
        this.committed = books.committed();
        this.records = records;
        this.effects = effects;
        this.received = received;
    }

    /** Judges a run whose writers have ended. */
    public static Judgement judge(
            Settings settings,
            Books books,
            List<Episode> episodes,
            Path folder,
            String brokers,
            TimeOfDay timeOfDay,
            Remains remains)
            throws IOException {
        List<Arrival> records = TopicReader.read(brokers, settings.mode(), timeOfDay);
        Checker checker = new Checker(settings, books, records, remains.allEffects(), ReceivedLog.read(folder));
        Findings findings = checker.compare(episodes, remains);
        Flow flow = Flow.of(checker.committed, records, checker.effects);
        return Judgement.of(settings, findings, episodes, flow);
    }

    private Findings compare(List<Episode> episodes, Remains remains) {
        books.contradictions().stream().limit(EXAMPLES).forEach(examples::add);
        Verdict topic = OrderReplay.judge(books, records);
        topic.examples().stream().limit(EXAMPLES).map(text -> "Topic: " + text).forEach(examples::add);
        Verdict effect = OrderReplay.judge(books, effects);
        effect.examples().stream()
                .limit(EXAMPLES)
                .map(text -> "Effect: " + text)
                .forEach(examples::add);
        Map<UUID, Integer> inTopic = count(records);
        Map<UUID, Integer> inEffect = count(effects);
        return new Findings(
                committed.size(),
                books.undone(),
                books.resolved(),
                books.resolvedToCommit(),
                books.contradictions().size(),
                records.size(),
                records.size() - inTopic.size(),
                DuplicateBound.of(settings, episodes),
                missing("Lost", inTopic.keySet()),
                ghosts("Ghost in a topic", inTopic.keySet()),
                topic.outOfOrder(),
                received.size(),
                ghosts("Ghost received", new HashSet<>(received)),
                effects.size(),
                missing("Without effect", inEffect.keySet()),
                effects.size() - inEffect.size(),
                ghosts("Effect of a ghost", inEffect.keySet()),
                effect.outOfOrder(),
                remains.deadLetters(),
                remains.consumerDeadLetters(),
                remains.pending() + remains.aside(),
                examples);
    }

    private static Map<UUID, Integer> count(List<Arrival> arrivals) {
        Map<UUID, Integer> count = new LinkedHashMap<>();
        arrivals.forEach(arrival -> count.merge(arrival.id(), 1, Integer::sum));
        return count;
    }

    private long missing(String what, Set<UUID> there) {
        List<String> missing = committed.entrySet().stream()
                .filter(event -> !there.contains(event.getKey()))
                .map(event -> what + ": event " + event.getKey() + " of transaction "
                        + event.getValue().id())
                .toList();
        missing.stream().limit(EXAMPLES).forEach(examples::add);
        return missing.size();
    }

    private long ghosts(String what, Set<UUID> there) {
        List<UUID> ghosts =
                there.stream().filter(id -> !committed.containsKey(id)).toList();
        ghosts.stream().limit(EXAMPLES).forEach(id -> examples.add(what + ": event " + id));
        return ghosts.size();
    }
}
