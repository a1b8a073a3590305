package dev.waybill.chaos.check;

import dev.waybill.chaos.plan.Episode;
import java.time.Duration;

/**
 * How long something stood still after a fault, at most.
 *
 * @param longest  the longest standstill of a lane that had something to deliver, from the moment from which recovery counts
 * @param lane     which one
 * @param overtaken whether the next fault struck before everything went on: what is left is counted for that one
 */
public record Recovery(Episode episode, Duration longest, String lane, boolean overtaken) {}
