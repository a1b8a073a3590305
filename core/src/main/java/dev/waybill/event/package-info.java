/** What an application publishes: events, their payloads and their registered types. */
@NullMarked
package dev.waybill.event;

import org.jspecify.annotations.NullMarked;
