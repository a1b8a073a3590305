package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Terminal;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A decision about one key. */
abstract class KeyCommand extends OperatorCommand {

    @Parameters(index = "0", paramLabel = "<destination>", description = "The destination, as in keys list.")
    String destination = "";

    @Parameters(index = "1", paramLabel = "<key>", description = "The key, as in keys list.")
    String key = "";

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    KeyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        signature.signature();
    }

    @Override
    final int run(Desk desk, Answer answer) {
        OrderKey orderKey = new OrderKey(destination, key);
        boolean changed = decide(desk, orderKey, signature.signature());
        if (changed) {
            answer.good(Printable.of(orderKey.toString()) + " " + done() + ".");
        } else {
            requireNothingToDo(desk, orderKey);
            answer.line("Nothing to do: " + Keys.words(desk, orderKey) + ".");
        }
        answer.figures(new Figures().with("changed", changed));
        return OK;
    }

    abstract boolean decide(Desk desk, OrderKey orderKey, Signature by);

    /** What has become of the key. */
    abstract String done();

    /** Whether the key may well stay as it is, though nothing was changed. */
    void requireNothingToDo(Desk desk, OrderKey orderKey) {}

    /** {@code waybill ops keys release}. */
    @Command(
            name = "release",
            header = "Try the dead letter of a parked key again, then what waits behind it.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Release extends KeyCommand {
        @Mixin
        private final ReplayLimitOptions limit = new ReplayLimitOptions();

        Release(Terminal terminal) {
            super(terminal);
        }

        @Override
        void check() {
            limit.check();
            super.check();
        }

        @Override
        JdbcStoreConfig settings(JdbcStoreConfig store) {
            return limit.on(store);
        }

        @Override
        boolean decide(Desk desk, OrderKey orderKey, Signature by) {
            try {
                return desk.deadLetters().release(orderKey, by);
            } catch (ReplayLimitException e) {
                throw new FailedException(ReplayLimitOptions.refused(List.of(e.sequence())));
            }
        }

        @Override
        String done() {
            return "released: its dead letter is tried again, then what waits behind it";
        }

        @Override
        void requireNothingToDo(Desk desk, OrderKey orderKey) {
            requireNotPaused(desk, orderKey);
        }
    }

    /** {@code waybill ops keys skip}. */
    @Command(
            name = "skip",
            header = "Let what waits behind the dead letter of a key go on without it; the dead letter stays.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Skip extends KeyCommand {
        Skip(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, OrderKey orderKey, Signature by) {
            return desk.deadLetters().skip(orderKey, by);
        }

        @Override
        String done() {
            return "goes on without its dead letter, which stays as skipped";
        }

        @Override
        void requireNothingToDo(Desk desk, OrderKey orderKey) {
            requireNotPaused(desk, orderKey);
        }
    }

    /** {@code waybill ops keys pause}. */
    @Command(
            name = "pause",
            header = "Hold back one key; its events wait in order, everything else goes on.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Pause extends KeyCommand {
        Pause(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, OrderKey orderKey, Signature by) {
            return desk.operations().pauseKey(orderKey, by);
        }

        @Override
        String done() {
            return "paused: its events wait in order, until keys resume";
        }
    }

    /** {@code waybill ops keys resume}. */
    @Command(
            name = "resume",
            header = "Let a paused key go on, in order.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Resume extends KeyCommand {
        Resume(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, OrderKey orderKey, Signature by) {
            return desk.operations().resumeKey(orderKey, by);
        }

        @Override
        String done() {
            return "goes on, in order";
        }

        @Override
        void requireNothingToDo(Desk desk, OrderKey orderKey) {
            Keys.find(desk, orderKey)
                    .filter(one -> Keys.state(one).equals("parked"))
                    .ifPresent(one -> {
                        throw new FailedException(
                                Keys.words(desk, orderKey)
                                        + ", not paused: waybill ops keys release tries it again, keys skip goes on without it");
                    });
        }
    }

    private static void requireNotPaused(Desk desk, OrderKey orderKey) {
        Keys.find(desk, orderKey)
                .filter(one -> Keys.state(one).equals("paused"))
                .ifPresent(one -> {
                    throw new FailedException(
                            Keys.words(desk, orderKey) + ", not parked: waybill ops keys resume lets it go on");
                });
    }
}
