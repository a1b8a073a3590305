package dev.waybill.benchmarks;

import dev.waybill.server.cli.CommandProvider;
import dev.waybill.server.cli.Terminal;

/** Adds {@code bench} to the command line. */
public final class BenchProvider implements CommandProvider {
    @Override
    public Object command(Terminal terminal) {
        return new BenchCommand(terminal);
    }
}
