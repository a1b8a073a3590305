package dev.waybill.server.demo;

import dev.waybill.WaybillException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Kills relays and takes the destination down, one at a time, every few seconds, until closed; then all is well again. */
final class Chaos implements AutoCloseable {
    private final Fleet fleet;
    private final DemoDestination destination;
    private final Incidents incidents;
    private final RandomGenerator random;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong faults = new AtomicLong();
    private final Thread thread = new Thread(this::run, "demo-chaos");

    Chaos(Fleet fleet, DemoDestination destination, Incidents incidents, RandomGenerator random) {
        this.fleet = fleet;
        this.destination = destination;
        this.incidents = incidents;
        this.random = random;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** How often it struck. */
    long faults() {
        return faults.get();
    }

    /** Returns when the fault of the moment is healed. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean kill = random.nextBoolean();
        while (!pause(2000, 4000)) {
            faults.incrementAndGet();
            if (kill || !destination.canGoDown()) {
                killRelay();
            } else {
                takeDestinationDown();
            }
            // Mostly in turn, so that a short run shows both.
            kill = random.nextInt(4) == 0 ? kill : !kill;
        }
        fleet.missing().ifPresent(this::startRelay);
    }

    /** A database that does not answer just now is no reason to end the demo without the relay. */
    private void startRelay(int number) {
        try {
            fleet.start(number);
            incidents.add("relay " + number + " replaced by a new one");
        } catch (WaybillException e) {
            incidents.add("relay " + number + " could not be started: " + e.getMessage());
        }
    }

    private void killRelay() {
        int number = fleet.missing().orElse(random.nextInt(fleet.size()) + 1);
        int shards = fleet.kill(number);
        incidents.add("relay " + number + " killed with " + shards + " shards");
        pause(1000, 2500);
        startRelay(number);
    }

    private void takeDestinationDown() {
        long start = System.nanoTime();
        destination.goDown();
        incidents.add(destination.name() + " down");
        pause(1000, 3000);
        destination.comeUp();
        Duration down = Duration.ofNanos(System.nanoTime() - start);
        incidents.add(String.format(Locale.ROOT, "%s up again after %s", destination.name(), Format.seconds(down)));
    }

    /** Waits for a time between the two; tells whether chaos is to end. */
    private boolean pause(int fromMillis, int toMillis) {
        try {
            return closed.await(random.nextInt(fromMillis, toMillis), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
