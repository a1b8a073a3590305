package dev.waybill.server.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant to type. */
final class Nearest {

    private Nearest() {}

    /** The candidate with the fewest edits, unless more than half of it would have to be changed. */
    static Optional<String> to(String typed, Collection<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(typed, candidate) * 2 <= Math.max(typed.length(), candidate.length()))
                .min(Comparator.<String>comparingInt(candidate -> distance(typed, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's distance. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
