package dev.waybill.server.ops;

import dev.waybill.audit.AuditRecord;
import dev.waybill.server.cli.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds what was decided before, so that somebody who comes second learns who was first. */
final class Decisions {
    private static final int PAGE = 200;
    private static final int PAGES = 10;

    private Decisions() {}

    /** The last decision about something, if it is among the last 2,000. */
    static Optional<AuditRecord> about(Desk desk, Predicate<AuditRecord> subject) {
        long before = Long.MAX_VALUE;
        for (int page = 0; page < PAGES; page++) {
            List<AuditRecord> records = desk.auditTrail().records(before, PAGE);
            Optional<AuditRecord> found = records.stream().filter(subject).findFirst();
            if (found.isPresent() || records.size() < PAGE) {
                return found;
            }
            before = records.get(records.size() - 1).number();
        }
        return Optional.empty();
    }

    static Optional<AuditRecord> aboutDeadLetter(Desk desk, long sequence) {
        return about(desk, one -> one.subject().equals("dead letter " + sequence));
    }

    static String words(AuditRecord decision) {
        String why = decision.signature().why();
        return Printable.of(action(decision) + " by " + decision.signature().who() + " " + Words.ago(decision.at())
                + (why.isEmpty() ? "" : " (" + why + ")"));
    }

    static String action(AuditRecord decision) {
        return decision.action().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
