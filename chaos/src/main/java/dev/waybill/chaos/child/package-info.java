/** What runs in the child processes: relays, writers, consumers, the broker. */
@NullMarked
package dev.waybill.chaos.child;

import org.jspecify.annotations.NullMarked;
