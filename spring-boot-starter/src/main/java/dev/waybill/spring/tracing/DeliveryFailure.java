package dev.waybill.spring.tracing;

/** Why a delivery failed, for a span: failures of deliveries are values and have no stack trace. */
final class DeliveryFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeliveryFailure(String reason) {
        super(reason, null, false, false);
    }
}
