package dev.waybill.spring.boot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the setting that somebody may have meant. Immutable. */
final class NearestSetting {
    // A name that differs in more than a third of its letters is no misspelling.
    private static final int PART = 3;

    private final List<SettingName> settings;

    NearestSetting(List<SettingName> settings) {
        this.settings = List.copyOf(settings);
    }

    /** The setting that comes nearest to a name, of which these are the parts; those that end like it go first. */
    Optional<String> to(List<String> name) {
        Optional<String> quoted = settings.stream()
                .flatMap(setting -> quoted(setting, name).stream())
                .findFirst();
        if (quoted.isPresent()) {
            return quoted;
        }
        String given = String.join(".", name);
        String end = SettingName.squeezed(name.get(name.size() - 1));
        return settings.stream()
                .filter(setting ->
                        endsWith(setting, end) || distance(given, filled(setting, name)) <= given.length() / PART)
                .min(Comparator.comparing((SettingName setting) -> !endsWith(setting, end))
                        .thenComparing(setting -> distance(given, filled(setting, name))))
                .map(setting -> filled(setting, name));
    }

    private static boolean endsWith(SettingName setting, String end) {
        return SettingName.squeezed(setting.last()).equals(end);
    }

    /** The setting's name with the names of the user's in their places. */
    private static String filled(SettingName setting, List<String> name) {
        List<String> filled = new ArrayList<>(setting.elements());
        for (int i = 0; i < filled.size(); i++) {
            if (setting.isAny(i) && i < name.size() - 1) {
                filled.set(i, name.get(i));
            }
        }
        return String.join(".", filled);
    }

    /** A name of the user's with dots in it needs brackets. */
    private static Optional<String> quoted(SettingName setting, List<String> name) {
        int any = setting.elements().indexOf(SettingName.ANY);
        int behind = setting.elements().size() - any - 1;
        if (any < 0 || name.size() <= setting.elements().size()) {
            return Optional.empty();
        }
        List<String> before = setting.elements().subList(0, any);
        List<String> after =
                setting.elements().subList(any + 1, setting.elements().size());
        if (!before.equals(name.subList(0, any)) || !after.equals(name.subList(name.size() - behind, name.size()))) {
            return Optional.empty();
        }
        String users = String.join(".", name.subList(any, name.size() - behind));
        return Optional.of(String.join(".", before) + ".[" + users + "]." + String.join(".", after));
    }

    /** How many letters have to be added, removed or replaced to make one text of the other. */
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
