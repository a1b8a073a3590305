package dev.waybill.chaos.check;

import dev.waybill.chaos.journal.Intent;
import dev.waybill.chaos.journal.JournalReader;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import dev.waybill.chaos.journal.WrittenTransaction;
import dev.waybill.chaos.stage.Evidence;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the writers did, with nothing unknown any more. Immutable.
 *
 * @param transactions     all of them; those whose outcome the writer did not know have the one that the database knows
 * @param resolved         how many of them the writers did not know
 * @param resolvedToCommit how many of those were committed
 * @param contradictions   transactions of which the database says something else than their writers know for certain
 */
public record Books(
        List<WrittenTransaction> transactions, int resolved, int resolvedToCommit, List<String> contradictions) {
    public Books {
        transactions = List.copyOf(transactions);
        contradictions = List.copyOf(contradictions);
    }

    /** Reads all journals, and asks the database about each transaction. No writer may be at work. */
    public static Books read(Path folder, Connection database) throws IOException, SQLException {
        Set<Long> stored = stored(database);
        List<WrittenTransaction> all = new ArrayList<>();
        List<String> contradictions = new ArrayList<>();
        int resolved = 0;
        int committed = 0;
        for (Path journal : Evidence.journals(folder)) {
            for (WrittenTransaction one : JournalReader.read(journal)) {
                boolean isStored = stored.contains(one.id());
                if (one.outcome() == Outcome.UNKNOWN) {
                    resolved++;
                    committed += isStored ? 1 : 0;
                    all.add(one.withOutcome(isStored ? Outcome.COMMITTED : Outcome.ABORTED));
                    continue;
                }
                all.add(one);
                if (isStored != (one.outcome() == Outcome.COMMITTED)) {
                    contradictions.add("transaction " + one.id() + " in " + journal.getFileName() + " was "
                            + one.outcome() + ", but the database " + (isStored ? "has it" : "does not have it"));
                }
            }
        }
        return new Books(all, resolved, committed, contradictions);
    }

    private static Set<Long> stored(Connection database) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM booking")) {
            Set<Long> stored = new HashSet<>();
            while (rows.next()) {
                stored.add(rows.getLong(1));
            }
            return stored;
        }
    }

    /** What has to arrive, and the transaction that brought it. */
    public Map<UUID, WrittenTransaction> committed() {
        Map<UUID, WrittenTransaction> committed = new LinkedHashMap<>();
        for (WrittenTransaction one : transactions) {
            if (one.outcome() == Outcome.COMMITTED) {
                one.events().stream().filter(Intent::kept).forEach(event -> committed.put(event.id(), one));
            }
        }
        return committed;
    }

    /** How many events must not arrive: of transactions that were rolled back, and behind savepoints. */
    public long undone() {
        return transactions.stream()
                .mapToLong(one -> one.events().stream()
                        .filter(event -> one.outcome() != Outcome.COMMITTED || !event.kept())
                        .count())
                .sum();
    }
}
