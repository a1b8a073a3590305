package dev.waybill.server.ops;

import dev.waybill.server.cli.Terminal;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What all of the operator's commands have in common: an outbox, and an answer. */
abstract class OperatorCommand implements Callable<Integer> {
    static final int OK = 0;
    static final int FAILED = 1;

    private final Terminal terminal;

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    OperatorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public final Integer call() {
        check();
        Answer answer = new Answer(terminal, database.json());
        try (Desk desk = Desk.open(database.target(), settings(database.store()))) {
            return run(desk, answer);
        }
    }

    /** Finds out what is wrong with the options before anything is connected. */
    void check() {}

    /** What the command wants to be different in the store. */
    JdbcStoreConfig settings(JdbcStoreConfig store) {
        return store;
    }

    /** Does it, and tells the exit code. */
    abstract int run(Desk desk, Answer answer);
}
