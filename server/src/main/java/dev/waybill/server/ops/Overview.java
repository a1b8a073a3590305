package dev.waybill.server.ops;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All of the operator's commands, by what they are for, a line each. */
final class Overview {
    private static final Map<String, List<String>> GROUPS = groups();

    private Overview() {}

    static String of(CommandSpec ops) {
        StringBuilder text = new StringBuilder();
        GROUPS.forEach((title, names) -> {
            text.append('\n').append(title).append(":\n");
            ops.subcommands().forEach((name, command) -> {
                if (names.contains(name)) {
                    add(text, "", command);
                }
            });
        });
        return text.toString();
    }

    private static void add(StringBuilder text, String prefix, CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        String name = prefix + spec.name();
        if (spec.subcommands().isEmpty()) {
            text.append(String.format(
                    Locale.ROOT, "  %-15s %s%n", name, spec.usageMessage().header()[0]));
        }
        spec.subcommands().values().forEach(inner -> add(text, name + " ", inner));
    }

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Look", List.of("status", "find", "audit"));
        groups.put("Dead letters", List.of("dead"));
        groups.put("Keys, whose events stay in order", List.of("keys"));
        groups.put("Hold back", List.of("pause", "resume", "pauses", "cancel"));
        groups.put("Send again", List.of("replay"));
        return groups;
    }
}
