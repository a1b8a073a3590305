package dev.waybill.testkit.sim;

import java.time.Duration;

/**
 * When the disk of the database is full: it can be read, and what takes no room can be changed, but no outcome can be written.
 *
 * @param until equal to {@code from}: never
 */
record FullDisk(long from, long until) {
    private static final FullDisk NEVER = new FullDisk(0, 0);
    /** Dice of its own: a world without it is the same as ever. */
    private static final long SALT = 0x66756c6c6469736bL;

    static FullDisk roll(long seed, Cut cut) {
        Dice dice = new Dice(seed ^ SALT);
        if (!cut.of(Trouble.FULL_DISK, dice.chance(0.15))) {
            return NEVER;
        }
        long from = dice.millis(500, 15_000).toNanos();
        return new FullDisk(from, from + dice.millis(200, 6_000).toNanos());
    }

    boolean isAt(long now) {
        return from <= now && now < until;
    }

    Duration left(long now) {
        return Duration.ofNanos(until - now);
    }
}
