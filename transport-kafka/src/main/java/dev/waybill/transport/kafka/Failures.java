package dev.waybill.transport.kafka;

import dev.waybill.transport.DeliveryResult;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What a failure of Kafka's producer means for the delivery, and for the producer. Time-outs are judged elsewhere. */
final class Failures {

    private Failures() {}

    /** The result of a delivery that failed with this. */
    static DeliveryResult result(Throwable failure) {
        if (isTheEventsFault(failure)) {
            return DeliveryResult.rejected(text(failure));
        }
        if (failure instanceof CorruptRecordException) {
            return DeliveryResult.retry(text(failure));
        }
        // What the producer would have tried again, had there been time: brokers that come and go. And what only
        // somebody
        // who looks after the cluster can mend.
        if (failure instanceof RetriableException
                || failure instanceof AuthenticationException
                || failure instanceof UnsupportedVersionException
                || !(failure instanceof ApiException)) {
            return DeliveryResult.unavailable(text(failure));
        }
        return DeliveryResult.retry(text(failure));
    }

    /** Whether the producer is of no use after this and must be replaced. */
    static boolean breaksTheProducer(Throwable failure) {
        if (failure instanceof SerializationException || failure instanceof InterruptException) {
            return false;
        }
        return failure instanceof ProducerFencedException
                || failure instanceof InvalidProducerEpochException
                || failure instanceof OutOfOrderSequenceException
                || failure instanceof UnsupportedVersionException
                // Not about a record, but the producer's own: closed, or failed for good before.
                || !(failure instanceof ApiException);
    }

    /** Names the failure: many of Kafka's messages make no sense without it. */
    static String text(Throwable failure) {
        Throwable shown = failure;
        // After a fatal failure each call says only that there was one.
        if (failure.getClass() == KafkaException.class && failure.getCause() != null) {
            shown = failure.getCause();
        }
        return shown.getClass().getSimpleName() + ": " + shown.getMessage();
    }

    private static boolean isTheEventsFault(Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof AuthorizationException
                || failure instanceof SerializationException
                || failure instanceof InvalidTopicException
                || failure instanceof InvalidRecordException
                || failure instanceof InvalidTimestampException;
    }
}
