package dev.waybill.transport;

/** Takes the results of deliveries, from any thread, without blocking. */
@FunctionalInterface
public interface DeliveryListener {

    /** The first result of a delivery counts; later ones, and those after its time-out, are ignored. */
    void onResult(Delivery delivery, DeliveryResult result);
}
