package dev.waybill.store.jdbc;

class PostgresFencingRaceTest extends FencingRace {
    PostgresFencingRaceTest() {
        super(
                EmbeddedDatabases.postgres18(),
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                        + " AND datname = current_database()");
    }
}
