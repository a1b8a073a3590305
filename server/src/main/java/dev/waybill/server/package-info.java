/** The runnable side: relay, demo, simulation, benchmark. */
@NullMarked
package dev.waybill.server;

import org.jspecify.annotations.NullMarked;
