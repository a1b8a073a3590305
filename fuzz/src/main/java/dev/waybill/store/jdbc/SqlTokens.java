package dev.waybill.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a statement is made of, whatever the names in it are. Comments and blanks are nothing. */
final class SqlTokens {
    private static final List<String> KINDS = List.of("text", "quoted", "word", "number");
    private static final Pattern TOKEN = Pattern.compile(
            "\\s+|--[^\\n]*|/\\*.*?\\*/|(?<text>'(?:[^']|'')*')|(?<quoted>\"[^\"]*\"|`[^`]*`)"
                    + "|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)|(?<number>\\d+)|(?<sign>.)",
            Pattern.DOTALL);

    private SqlTokens() {}

    /** The kind of each token; a sign is its own kind. */
    static List<String> kinds(String sql) {
        List<String> kinds = new ArrayList<>();
        Matcher token = TOKEN.matcher(sql);
        while (token.find()) {
            String sign = token.group("sign");
            if (sign != null) {
                kinds.add(sign);
            } else {
                KINDS.stream().filter(kind -> token.group(kind) != null).forEach(kinds::add);
            }
        }
        return kinds;
    }
}
