package dev.waybill.chaos.plan;

import dev.waybill.chaos.proxy.Trouble;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fault as it is planned.
 *
 * @param number  from 1, in the order of their beginnings
 * @param at      when it begins, since the load began
 * @param length  how long a process is away, paused or cut off; a killed one is started again after it
 * @param target  which of several processes; {@link #ALL}: all of them
 * @param cut     how a network breaks
 */
public record Fault(
        int number,
        FaultKind kind,
        Duration at,
        Duration length,
        int target,
        @Nullable Cut cut) {
    public static final int ALL = -1;

    /**
     * How a network breaks.
     *
     * @param amount milliseconds of latency, or bytes before a cut
     */
    public record Cut(Trouble trouble, int amount) {}

    public Duration end() {
        return at.plus(length);
    }

    /** From when on recovery counts: see {@link Episode#healthy}. */
    public Duration healthy() {
        return kind.lastsUntilItsEnd() ? end() : at;
    }

    /** The same fault always has the same text: this is how one sees that a seed repeats its schedule. */
    public String text() {
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, "%6.1fs  #%-3d %s", at.toMillis() / 1000.0, number, kind.text()));
        if (kind.strikesOneOfSeveral()) {
            text.append(target == ALL ? ", all" : ", " + (target + 1));
        }
        if (cut != null) {
            text.append(", ").append(cut.trouble().text(cut.amount()));
        }
        return text.append(String.format(Locale.ROOT, ", %.1fs", length.toMillis() / 1000.0))
                .toString();
    }
}
