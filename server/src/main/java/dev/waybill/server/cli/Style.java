package dev.waybill.server.cli;

/** Emphasis by ANSI escape sequences, or none where colours are not wanted. */
public record Style(boolean color) {

    public String bold(String text) {
        return wrap("1", text);
    }

    public String dim(String text) {
        return wrap("2", text);
    }

    public String good(String text) {
        return wrap("32", text);
    }

    public String warning(String text) {
        return wrap("33", text);
    }

    public String bad(String text) {
        return wrap("1;31", text);
    }

    private String wrap(String code, String text) {
        return color ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
