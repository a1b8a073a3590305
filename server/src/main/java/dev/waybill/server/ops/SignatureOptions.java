package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.server.cli.UsageException;
import picocli.CommandLine.Option;

/** Who takes a decision, and why: for the audit trail. */
final class SignatureOptions {

    @Option(
            names = "--by",
            order = 90,
            paramLabel = "<name>",
            description = "Who decides, for the audit trail (default: your user name on this machine).")
    String by = System.getProperty("user.name", "");

    @Option(names = "--why", order = 91, paramLabel = "<text>", description = "Why, for the audit trail.")
    String why = "";

    Signature signature() {
        try {
            return Signature.of(by, why);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** For decisions that somebody will ask about. */
    Signature signatureWithReason() {
        if (why.isBlank()) {
            throw new UsageException("this needs a reason for whoever asks later: --why \"<text>\"");
        }
        return signature();
    }
}
