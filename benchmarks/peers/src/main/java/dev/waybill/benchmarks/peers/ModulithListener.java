package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Receiver;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.event.TransactionalEventListener;

/** The listener that Modulith's registry stores events for. Safe for many threads. */
class ModulithListener {
    private final Gate gate;

    ModulithListener(Gate gate) {
        this.gate = gate;
    }

    @Async
    @TransactionalEventListener
    public void on(Happened event) {
        gate.receiver().received(event.key(), Text.toPayload(event.text()));
    }

    record Happened(String key, String text) {}

    @EnableAutoConfiguration
    @Import(ModulithListener.class)
    static class Configuration {}

    /** Where the calls of listeners go; closed, it drops them, as the end of a process would, and the rows stay. */
    static final class Gate implements TaskExecutor {
        private volatile @Nullable Executor executor;
        private volatile @Nullable Receiver receiver;

        void open(Executor listening, Receiver to) {
            receiver = to;
            executor = listening;
        }

        void close() {
            executor = null;
        }

        Receiver receiver() {
            Receiver to = receiver;
            if (to == null) {
                throw new IllegalStateException("Not started");
            }
            return to;
        }

        @Override
        public void execute(Runnable task) {
            Executor open = executor;
            if (open != null) {
                open.execute(task);
            }
        }
    }
}
