package dev.waybill.chaos;

import dev.waybill.server.cli.CommandProvider;
import dev.waybill.server.cli.Terminal;

/** Adds {@code chaos} to the command line. */
public final class ChaosProvider implements CommandProvider {
    @Override
    public Object command(Terminal terminal) {
        return new ChaosCommand(terminal);
    }
}
