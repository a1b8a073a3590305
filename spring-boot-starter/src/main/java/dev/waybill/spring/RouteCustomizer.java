package dev.waybill.spring;

import dev.waybill.relay.Route;

/** A bean that has the last word on the routes of the relays, after the settings. Several in their order. */
@FunctionalInterface
public interface RouteCustomizer {

    /**
     * The route to use in place of the given one.
     *
     * @param destination where it leads; empty: the route of all destinations that have no settings
     */
    Route customize(String destination, Route route);
}
