package dev.waybill.examples.shop.demo;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import org.jspecify.annotations.Nullable;

/** Makes one result of a delivery to several services: delivered if all took it, else the worst. Thread-safe. */
final class Answers implements DeliveryListener {
    private final DeliveryListener listener;
    private int missing;
    private @Nullable DeliveryResult worst;

    /** Waits for so many results. */
    Answers(int expected, DeliveryListener listener) {
        this.missing = expected;
        this.listener = listener;
    }

    @Override
    public void onResult(Delivery delivery, DeliveryResult result) {
        DeliveryResult all = add(result);
        if (all != null) {
            listener.onResult(delivery, all);
        }
    }

    private synchronized @Nullable DeliveryResult add(DeliveryResult result) {
        if (worst == null || rank(result) > rank(worst)) {
            worst = result;
        }
        missing--;
        return missing == 0 ? worst : null;
    }

    /** Whoever rejects it does so again when another one has it tried again. */
    private static int rank(DeliveryResult result) {
        if (result instanceof DeliveryResult.Delivered) {
            return 0;
        }
        if (result instanceof DeliveryResult.Rejected) {
            return 1;
        }
        return result instanceof DeliveryResult.Retry ? 2 : 3;
    }
}
