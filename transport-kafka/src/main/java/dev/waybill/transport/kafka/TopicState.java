package dev.waybill.transport.kafka;

import dev.waybill.transport.DeliveryResult;

/**
 * What the cluster says about a topic. Immutable.
 *
 * @param usable  whether it makes sense to send to it
 * @param failure what a delivery gets that cannot be made, or that timed out
 */
record TopicState(boolean usable, DeliveryResult failure) {
    private static final TopicState WHOLE = new TopicState(true, DeliveryResult.retry("The topic is not the cause"));

    /** It exists, and every replica of it is there. */
    static TopicState whole() {
        return WHOLE;
    }

    /** It exists, but some broker of it is away: what is sent may arrive or not. */
    static TopicState degraded(String reason) {
        return new TopicState(true, DeliveryResult.unavailable(reason));
    }

    /** It is missing, or the cluster cannot be asked. */
    static TopicState unavailable(String reason) {
        return new TopicState(false, DeliveryResult.unavailable(reason));
    }

    /** Nothing may be sent to it. */
    static TopicState forbidden(String reason) {
        return new TopicState(false, DeliveryResult.rejected(reason));
    }
}
