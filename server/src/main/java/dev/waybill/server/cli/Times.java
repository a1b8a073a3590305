package dev.waybill.server.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Moments as people type them: {@code now}, {@code 30m} or {@code 1d12h} ago, {@code 2026-11-16T08:30} by the clock of this
 * machine, {@code 2026-11-16T08:30:00Z}.
 */
final class Times {
    private static final Pattern AGO =
            Pattern.compile("(?:(\\d{1,5})d)?(?:(\\d{1,6})h)?(?:(\\d{1,8})m)?(?:(\\d{1,9})s)?");

    private Times() {}

    static Instant parse(String text) {
        return parse(text, Instant.now(), ZoneId.systemDefault());
    }

    static Instant parse(String text, Instant now, ZoneId zone) {
        String typed = text.strip().toUpperCase(Locale.ROOT).replace(' ', 'T');
        if (typed.equals("NOW")) {
            return now;
        }
        Matcher ago = AGO.matcher(typed.toLowerCase(Locale.ROOT));
        if (!typed.isEmpty() && ago.matches()) {
            return now.minus(ago(ago));
        }
        List<Function<String, Instant>> forms = List.of(
                form -> OffsetDateTime.parse(form).toInstant(),
                form -> LocalDateTime.parse(form).atZone(zone).toInstant(),
                form -> LocalDate.parse(form).atStartOfDay(zone).toInstant());
        return forms.stream()
                .flatMap(form -> attempt(form, typed).stream())
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text
                        + "' is not a time such as now, 30m or 2h (ago), 2026-11-16T08:30 (here) or"
                        + " 2026-11-16T08:30:00Z"));
    }

    private static Duration ago(Matcher parts) {
        return Duration.ofDays(number(parts, 1))
                .plusHours(number(parts, 2))
                .plusMinutes(number(parts, 3))
                .plusSeconds(number(parts, 4));
    }

    private static long number(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
    }

    private static Optional<Instant> attempt(Function<String, Instant> form, String text) {
        try {
            return Optional.of(form.apply(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
