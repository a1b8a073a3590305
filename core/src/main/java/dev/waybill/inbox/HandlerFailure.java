package dev.waybill.inbox;

import dev.waybill.event.PayloadCodecException;
import dev.waybill.event.UnknownEventTypeException;
import dev.waybill.transport.NonRetryableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Tells what a handler threw from what a store threw. */
final class HandlerFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 16;

    /** Of the lease that the handler had; 0: none. */
    final long epoch;

    private final Throwable failure;

    HandlerFailure(Throwable failure, long epoch) {
        super(null, failure, false, false);
        this.failure = failure;
        this.epoch = epoch;
    }

    /** What deferred it although it ran; {@code null}: nothing did. */
    @Nullable
    DeferredException deferred() {
        return failure instanceof DeferredException deferred ? deferred : null;
    }

    String text() {
        return FailureText.of(failure);
    }

    /** Whether it would be the same however often it is tried. */
    boolean isFinal() {
        return isFinal(failure);
    }

    private static boolean isFinal(Throwable failure) {
        Throwable inner = failure;
        // Bounded, because causes may form a ring.
        for (int depth = 0; depth < DEEPEST && isWrapper(inner) && inner.getCause() != null; depth++) {
            inner = inner.getCause();
        }
        return inner instanceof NonRetryableException
                || inner instanceof UnknownEventTypeException
                || inner instanceof PayloadCodecException;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
