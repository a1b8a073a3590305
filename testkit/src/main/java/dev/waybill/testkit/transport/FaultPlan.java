package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;

/** Decides what goes wrong with each delivery. Asked from any thread; the plans that are made here are thread-safe. */
@FunctionalInterface
public interface FaultPlan {

    Fault next(Delivery delivery);

    /** Nothing goes wrong. */
    static FaultPlan none() {
        return delivery -> Fault.none();
    }

    /** One fault for each delivery, in the order of sends; when they are used up nothing goes wrong any more. */
    static FaultPlan script(Fault... faults) {
        Queue<Fault> left = new ConcurrentLinkedQueue<>(List.of(faults));
        return delivery -> {
            Fault fault = left.poll();
            return fault == null ? Fault.none() : fault;
        };
    }

    /**
     * Some deliveries get one of the faults, as the random numbers have it: the same for the same seed and sends.
     *
     * @param rate the share of deliveries, from 0 to 1
     */
    static FaultPlan random(RandomGenerator random, double rate, Fault... faults) {
        List<Fault> choice = List.of(faults);
        return delivery -> {
            synchronized (random) {
                return random.nextDouble() < rate ? choice.get(random.nextInt(choice.size())) : Fault.none();
            }
        };
    }
}
