package dev.waybill.chaos.check;

/**
 * An event on one leg of its way.
 *
 * @param lane      what goes on or stands still as a whole there
 * @param available when it could have been delivered, in milliseconds of the steady clock
 * @param done      when it was
 */
public record Passage(String lane, long available, long done) {}
