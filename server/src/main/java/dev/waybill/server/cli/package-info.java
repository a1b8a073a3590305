/** What all commands share: the terminal, how options are read, and how a command ends. */
@NullMarked
package dev.waybill.server.cli;

import org.jspecify.annotations.NullMarked;
