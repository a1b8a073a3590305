package dev.waybill.testkit.sim;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is left out of the world that a seed stands for. Immutable.
 *
 * @param writers at most so many
 * @param relays  at most so many at the start
 * @param seconds the writers write for so long at most
 */
record Cut(Set<Trouble> without, int writers, int relays, int seconds) {
    private static final int ALL = Integer.MAX_VALUE;

    /** The whole world. */
    static final Cut NONE = new Cut(Set.of(), ALL, ALL, ALL);

    Cut {
        Set<Trouble> sorted = EnumSet.noneOf(Trouble.class);
        sorted.addAll(without);
        without = Collections.unmodifiableSet(sorted);
    }

    Cut without(Trouble trouble) {
        Set<Trouble> more = EnumSet.of(trouble);
        more.addAll(without);
        return new Cut(more, writers, relays, seconds);
    }

    Cut withWriters(int atMost) {
        return new Cut(without, atMost, relays, seconds);
    }

    Cut withRelays(int atMost) {
        return new Cut(without, writers, atMost, seconds);
    }

    Cut withSeconds(int atMost) {
        return new Cut(without, writers, relays, atMost);
    }

    boolean has(Trouble trouble) {
        return !without.contains(trouble);
    }

    /** Whether something was rolled and may happen. */
    boolean of(Trouble trouble, boolean rolled) {
        return rolled && has(trouble);
    }

    double of(Trouble trouble, double rolled) {
        return has(trouble) ? rolled : 0;
    }

    int of(Trouble trouble, int rolled) {
        return has(trouble) ? rolled : 0;
    }

    /** The options of the command that leave out the same; empty if that is nothing. */
    @Override
    public String toString() {
        StringBuilder options = new StringBuilder();
        if (!without.isEmpty()) {
            options.append(" --without ")
                    .append(without.stream().map(Trouble::toString).collect(Collectors.joining(",")));
        }
        append(options, " --writers ", writers);
        append(options, " --relays ", relays);
        append(options, " --seconds ", seconds);
        return options.toString();
    }

    private static void append(StringBuilder options, String name, int value) {
        if (value != ALL) {
            options.append(name).append(value);
        }
    }
}
