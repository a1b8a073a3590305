package dev.waybill.chaos.plan;

/**
 * A fault as it happened; all times in milliseconds of {@link dev.waybill.chaos.clock.SteadyClock}.
 *
 * @param began   when it struck
 * @param healthy from when on recovery counts: a process was killed or paused, and others take over; or a server accepts
 *                connections again, or the network is whole again
 * @param ended   when everything was as before: the killed process is started again, the paused one goes on
 * @param strikes how often something broke: connections that were cut, each of which is a fault of its own; else 1
 */
public record Episode(Fault fault, long began, long healthy, long ended, int strikes) {}
