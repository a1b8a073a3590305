package dev.waybill.fuzz;

import dev.waybill.server.cli.CommandProvider;
import dev.waybill.server.cli.Terminal;

/** Adds {@code fuzz} to the command line. */
public final class FuzzProvider implements CommandProvider {
    @Override
    public Object command(Terminal terminal) {
        return new FuzzCommand(terminal);
    }
}
