package dev.waybill.examples.shop.demo;

import dev.waybill.server.cli.CommandProvider;
import dev.waybill.server.cli.Terminal;

/** Adds {@code demo} to the command line. */
public final class DemoProvider implements CommandProvider {
    @Override
    public Object command(Terminal terminal) {
        return new DemoCommand(terminal);
    }
}
