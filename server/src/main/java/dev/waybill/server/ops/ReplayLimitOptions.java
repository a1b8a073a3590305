package dev.waybill.server.ops;

import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How often a dead letter may be tried again. */
final class ReplayLimitOptions {
    /** More are counted, not named. */
    private static final int NAMED = 20;

    @Option(
            names = "--max-replays",
            order = 80,
            paramLabel = "<n>",
            description = "Refuse what was tried again so often and failed each time (default 3).")
    @Nullable
    Integer most;

    JdbcStoreConfig on(JdbcStoreConfig store) {
        return most == null ? store : store.withMaxReplays(most);
    }

    void check() {
        if (most != null && most < 1) {
            throw new UsageException("--max-replays is " + most + "; it must be at least 1");
        }
    }

    /** What to do about those that were refused. */
    static String refused(List<Long> sequences) {
        boolean one = sequences.size() == 1;
        String names = sequences.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        int more = sequences.size() - NAMED;
        return "refused, because " + (one ? "it was" : "they were")
                + " tried again too often and failed each time: dead letter " + names
                + (more > 0 ? " and " + Words.number(more) + " more" : "") + ". Correct " + (one ? "it" : "them")
                + " with dead edit (that counts anew), discard " + (one ? "it" : "them")
                + ", or allow more with --max-replays <n>";
    }
}
