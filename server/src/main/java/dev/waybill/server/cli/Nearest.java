package dev.waybill.server.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant to type. */
public final class Nearest {

    private Nearest() {}

    /** The candidate with the fewest edits, unless more than half of it would have to be changed. */
    public static Optional<String> to(String typed, Collection<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(typed, candidate) * 2 <= Math.max(typed.length(), candidate.length()))
                .min(Comparator.<String>comparingInt(candidate -> distance(typed, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's distance, where two letters in the wrong order are one edit. */
    static int distance(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : edits(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int edits(int[][] edits, String from, String to, int i, int j) {
        char here = from.charAt(i - 1);
        int replaced = edits[i - 1][j - 1] + (here == to.charAt(j - 1) ? 0 : 1);
        int fewest = Math.min(replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && here == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
    }
}
