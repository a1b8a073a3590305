package dev.waybill.chaos.plan;

import dev.waybill.chaos.plan.Fault.Cut;
import dev.waybill.chaos.plan.FaultKind.Part;
import dev.waybill.chaos.proxy.Trouble;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Draws the faults of a run: the same settings give the same faults.
 *
 * <p>Kinds come from a deck that is shuffled anew when it is used up, so that each has its share. Most faults have room
 * behind them, so that their recovery can be told from the next one's; a few come in pairs.
 */
public final class Schedule {
    /** Above all, so that also a short run has each of them. */
    private static final List<FaultKind> FIRST = List.of(
            FaultKind.RELAY_KILL,
            FaultKind.RELAY_KILL,
            FaultKind.RELAY_PAUSE,
            FaultKind.DATABASE_KILL,
            FaultKind.BROKER_KILL,
            FaultKind.DATABASE_LINK,
            FaultKind.BROKER_LINK);

    private static final List<FaultKind> THEN = List.of(
            FaultKind.RELAY_KILL,
            FaultKind.RELAY_KILL,
            FaultKind.DATABASE_LINK,
            FaultKind.BROKER_LINK,
            FaultKind.WRITER_KILL,
            FaultKind.CONSUMER_KILL,
            FaultKind.HELD_TRANSACTION);

    /** Only if asked for; a part of its own, so that the other faults of a seed stay the same until it comes. */
    private static final List<FaultKind> ON_DEMAND = List.of(FaultKind.DISK_FULL);

    /** One of them at the end of each deck, in turn. */
    private static final List<FaultKind> LAST = List.of(FaultKind.CONSUMER_PAUSE, FaultKind.WRITER_PAUSE);

    private static final List<Trouble> TROUBLES = List.of(Trouble.values());

    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final Duration QUIET_END = Duration.ofSeconds(5);
    private static final Duration AFTER_TAKEOVER = Duration.ofMillis(1_500);
    private static final Duration AFTER_OUTAGE = Duration.ofMillis(4_500);
    /** One in so many faults has another one beside it. */
    private static final int PAIRS = 5;

    private final Settings settings;
    private final Random random;
    private final Deque<FaultKind> deck = new ArrayDeque<>();
    private final Map<Part, Duration> busy = new EnumMap<>(Part.class);
    private int decks;
    private int lastRelay;

    private Schedule(Settings settings) {
        this.settings = settings;
        random = new Random(settings.seed());
    }

    /** The faults in the order of their beginnings. */
    public static List<Fault> of(Settings settings) {
        return settings.faults().isEmpty() ? List.of() : new Schedule(settings).draw();
    }

    private List<Fault> draw() {
        List<Fault> faults = new ArrayList<>();
        Duration last = settings.duration().minus(QUIET_END);
        Duration at = WARM_UP;
        while (true) {
            Fault fault = draw(faults.size() + 1, at);
            if (fault.end().compareTo(last) > 0) {
                return faults;
            }
            add(faults, fault);
            Duration next = roomAfter(fault);
            if (random.nextInt(PAIRS) == 0) {
                Duration soon = fault.at().plusMillis(random.nextInt(1_500));
                Fault beside = draw(faults.size() + 1, soon);
                if (beside.at().equals(soon) && beside.end().compareTo(last) <= 0) {
                    add(faults, beside);
                    next = later(next, roomAfter(beside));
                } else {
                    // Its part is struck already: it comes next.
                    deck.push(beside.kind());
                }
            }
            at = next.plusMillis(random.nextInt(500));
        }
    }

    private void add(List<Fault> faults, Fault fault) {
        faults.add(fault);
        busy.put(fault.kind().part(), fault.end());
    }

    /** A fault from the deck, at this time or when the one before it that strikes the same part is over. */
    private Fault draw(int number, Duration at) {
        if (deck.isEmpty()) {
            shuffle();
        }
        FaultKind kind = deck.pop();
        Cut cut = kind.isNetwork() ? cut() : null;
        Duration free = later(at, busy.getOrDefault(kind.part(), Duration.ZERO));
        return new Fault(number, kind, free, length(kind), target(kind), cut);
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void shuffle() {
        for (List<FaultKind> part : List.of(FIRST, THEN, List.of(LAST.get(decks++ % LAST.size())), ON_DEMAND)) {
            List<FaultKind> cards = new ArrayList<>(part);
            Collections.shuffle(cards, random);
            cards.stream().filter(settings.faults()::contains).forEach(deck::add);
        }
        if (deck.isEmpty()) {
            // Only a kind that is not in every deck was asked for.
            shuffle();
        }
    }

    private Duration length(FaultKind kind) {
        long lease = settings.lease().toMillis();
        long millis = switch (kind) {
            case RELAY_KILL, WRITER_KILL, CONSUMER_KILL -> 500 + random.nextInt(3_500);
            case RELAY_PAUSE, CONSUMER_PAUSE, HELD_TRANSACTION, DISK_FULL -> lease + 1_000 + random.nextInt(2_000);
            case WRITER_PAUSE -> 1_000 + random.nextInt(3_000);
            case DATABASE_KILL, BROKER_KILL -> 200 + random.nextInt(2_500);
            case DATABASE_LINK, BROKER_LINK -> 1_000 + random.nextInt(Math.toIntExact(lease) + 1_000);
        };
        return Duration.ofMillis(millis);
    }

    /** A link of all relays one time in three. */
    private int target(FaultKind kind) {
        return switch (kind.part()) {
            case RELAYS -> nextRelay();
            case WRITERS -> random.nextInt(settings.writers());
            case CONSUMERS -> random.nextInt(settings.consumers());
            case DATABASE, BROKER, OUTBOX -> 0;
            case DATABASE_LINKS, BROKER_LINKS -> random.nextInt(3) == 0 ? Fault.ALL : random.nextInt(settings.relays());
        };
    }

    /** Never the same twice in a row: it may not have begun to work again. */
    private int nextRelay() {
        lastRelay = (lastRelay + 1 + random.nextInt(settings.relays() - 1)) % settings.relays();
        return lastRelay;
    }

    private Cut cut() {
        Trouble trouble = TROUBLES.get(random.nextInt(TROUBLES.size()));
        int amount = switch (trouble) {
            case LATENCY -> 100 + random.nextInt(700);
            case CUT_AFTER -> 200 + random.nextInt(20_000);
            default -> 0;
        };
        return new Cut(trouble, amount);
    }

    /** By then it should be over. It need not: what matters is that it mostly is. */
    private Duration roomAfter(Fault fault) {
        Duration takenOver = fault.at().plus(settings.lease()).plus(AFTER_TAKEOVER);
        return switch (fault.kind()) {
            case RELAY_KILL, CONSUMER_KILL -> takenOver;
            case RELAY_PAUSE, CONSUMER_PAUSE -> fault.end().plus(AFTER_TAKEOVER);
            case WRITER_KILL, WRITER_PAUSE, HELD_TRANSACTION -> fault.at().plus(AFTER_TAKEOVER);
            default -> fault.end().plus(AFTER_OUTAGE);
        };
    }
}
