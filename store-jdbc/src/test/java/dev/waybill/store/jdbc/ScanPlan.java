package dev.waybill.store.jdbc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** What EXPLAIN (ANALYZE, FORMAT JSON) says: how many rows were read from which table, with those that were dropped. */
record ScanPlan(String text, Map<String, Long> rows) {

    static ScanPlan parse(String text) {
        Map<String, Long> rows = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.START_OBJECT) {
                    readNode(json, rows);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ScanPlan(text, rows);
    }

    private static void readNode(JsonParser json, Map<String, Long> rows) throws IOException {
        String table = "";
        double perLoop = 0;
        double loops = 1;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            JsonToken value = json.currentToken();
            if (value == JsonToken.START_OBJECT) {
                readNode(json, rows);
            } else if (value != JsonToken.FIELD_NAME) {
                switch (field == null ? "" : field) {
                    case "Relation Name" -> table = json.getText();
                    case "Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck" ->
                        perLoop += json.getDoubleValue();
                    case "Actual Loops" -> loops = json.getDoubleValue();
                    default -> {}
                }
            }
        }
        if (!table.isEmpty()) {
            rows.merge(table, Math.round(perLoop * loops), Long::sum);
        }
    }

    long rowsOf(String table) {
        return rows.getOrDefault(table, 0L);
    }
}
