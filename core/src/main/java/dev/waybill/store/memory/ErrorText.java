package dev.waybill.store.memory;

/** Makes any text storable: databases refuse NUL and halves of surrogate pairs, and a column has an end. */
final class ErrorText {
    private static final int MAX = 2_000;
    private static final char REPLACEMENT = '\uFFFD';

    private ErrorText() {}

    static String storable(String text) {
        int end = Math.min(text.length(), MAX);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder changed = new StringBuilder(text).delete(end, text.length());
        for (int i = 0; i < end; i++) {
            char c = changed.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(changed.charAt(i + 1))) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                changed.setCharAt(i, REPLACEMENT);
            }
        }
        return changed.toString();
    }
}
