package dev.waybill.store.jdbc;

/** Makes any text storable: databases refuse NUL and halves of surrogate pairs, and a column has an end. */
final class StoredText {
    private static final int LONGEST_ERROR = 2_000;
    private static final char REPLACEMENT = '\uFFFD';

    private StoredText() {}

    /** The first 2,000 characters of an error. */
    static String error(String text) {
        int end = Math.min(text.length(), LONGEST_ERROR);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return storable(text.substring(0, end));
    }

    static String storable(String text) {
        StringBuilder stored = new StringBuilder(text);
        int end = stored.length();
        for (int i = 0; i < end; i++) {
            char c = stored.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(stored.charAt(i + 1))) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                stored.setCharAt(i, REPLACEMENT);
            }
        }
        return stored.toString();
    }
}
