package dev.waybill.server.cli;

/** Brings a command from a module that this one does not know; found by {@link java.util.ServiceLoader}. */
public interface CommandProvider {

    /** A picocli command that reads and writes there. */
    Object command(Terminal terminal);
}
