package dev.waybill.benchmarks.contender;

import java.util.Set;

/** Makes contenders by name; found by {@link java.util.ServiceLoader} in the worker's class path. */
public interface ContenderProvider {

    /** The contenders that it knows, as the report shows them. */
    Set<String> names();

    /** One of them; it connects to the site, and changes nothing there before {@link Contender#install}. */
    Contender create(String name, Site site) throws Exception;
}
