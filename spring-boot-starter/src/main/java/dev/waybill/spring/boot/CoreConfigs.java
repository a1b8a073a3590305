package dev.waybill.spring.boot;

import dev.waybill.OneLine;
import dev.waybill.outbox.BacklogLimit;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.function.Supplier;
import org.springframework.util.unit.DataSize;

/** Makes configurations of the settings; what a configuration refuses is reported under the name of the setting. */
final class CoreConfigs {

    private CoreConfigs() {}

    static OutboxConfig outbox(WaybillProperties properties) {
        WaybillProperties.Outbox outbox = properties.outbox();
        OutboxConfig config = OutboxConfig.defaults()
                .withDestinations(outbox.destinations())
                .withStrictDestinations(outbox.strictDestinations());
        OutboxConfig sized = checked(
                "waybill.outbox.max-payload-size", () -> config.withMaxPayloadBytes(bytes(outbox.maxPayloadSize())));
        OutboxConfig headed = checked("waybill.outbox.max-headers", () -> sized.withMaxHeaders(outbox.maxHeaders()));
        OutboxConfig full = checked(
                "waybill.outbox.max-header-size", () -> headed.withMaxHeaderBytes(bytes(outbox.maxHeaderSize())));
        return checked(
                "waybill.outbox.backlog-limit",
                () -> full.withBacklog(new BacklogLimit(outbox.backlogLimit(), outbox.backlogAction())));
    }

    static JdbcStoreConfig store(WaybillProperties properties) {
        WaybillProperties.Store store = properties.store();
        JdbcStoreConfig named = checked(
                "waybill.store.schema",
                () -> JdbcStoreConfig.defaults().withSchema(store.schema().isEmpty() ? null : store.schema()));
        JdbcStoreConfig prefixed =
                checked("waybill.store.table-prefix", () -> named.withTablePrefix(store.tablePrefix()));
        JdbcStoreConfig limited = checked(
                "waybill.store.statement-timeout", () -> prefixed.withStatementTimeout(store.statementTimeout()));
        if (store.statementTimeout().compareTo(properties.relay().lease()) >= 0) {
            throw new SetupException(
                    "waybill.store.statement-timeout is " + store.statementTimeout() + ", and waybill.relay.lease is "
                            + properties.relay().lease()
                            + ": a statement that hangs would keep others from taking a shard over.",
                    "Set waybill.store.statement-timeout to less than waybill.relay.lease.");
        }
        JdbcStoreConfig kept = checked("waybill.store.retention", () -> limited.withRetention(store.retention()));
        JdbcStoreConfig compressed =
                checked("waybill.store.compress-above", () -> kept.withCompressAbove(bytes(store.compressAbove())));
        JdbcStoreConfig decided = checked(
                "waybill.store.decided-retention", () -> compressed.withDecidedRetention(store.decidedRetention()));
        return checked("waybill.store.max-replays", () -> decided.withMaxReplays(store.maxReplays()));
    }

    /** What the supplier makes; its complaints name the setting. */
    static <T> T checked(String setting, Supplier<T> config) {
        try {
            return config.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new SetupException(
                    OneLine.of(setting + " has a value that is not possible: " + e.getMessage()),
                    OneLine.of("Correct " + setting + "."));
        }
    }

    private static int bytes(DataSize size) {
        return Math.toIntExact(size.toBytes());
    }
}
