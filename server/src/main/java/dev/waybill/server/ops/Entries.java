package dev.waybill.server.ops;

import dev.waybill.event.Event;
import dev.waybill.server.cli.Figures;
import dev.waybill.store.Entry;
import java.util.LinkedHashMap;
import java.util.Map;

/** An entry for people and for programs; its payload is left out. */
final class Entries {

    private Entries() {}

    /** With a name for the last error: of a dead letter it is the reason, of others it is history. */
    static Map<String, String> fields(Entry entry, String errorName) {
        Event event = entry.event();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("destination", event.destination());
        fields.put("key", event.key() == null ? "(none)" : event.key());
        fields.put("type", event.type() + ", version " + event.version());
        fields.put("occurred", Words.moment(event.occurredAt()));
        fields.put("sequence", entry.sequence() + ", shard " + entry.shard());
        fields.put("attempts", Words.number(entry.attempts()));
        if (entry.lastError() != null) {
            fields.put(errorName, Words.firstLine(entry.lastError()));
        }
        if (entry.replay() > 0) {
            fields.put("replay", "copy of replay " + entry.replay());
        }
        return fields;
    }

    static Figures figures(Entry entry) {
        Event event = entry.event();
        return new Figures()
                .with("sequence", entry.sequence())
                .with("id", event.id())
                .with("destination", event.destination())
                .with("key", event.key())
                .with("type", event.type())
                .with("version", event.version())
                .with("contentType", event.contentType())
                .with("payloadBytes", event.payload().size())
                .with("occurredAt", event.occurredAt())
                .with("availableAt", event.availableAt())
                .with("shard", entry.shard())
                .with("attempts", entry.attempts())
                .with("reason", entry.lastError())
                .with("replay", entry.replay());
    }
}
