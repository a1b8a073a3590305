package dev.waybill.store.jdbc;

class H2FencingRaceTest extends FencingRace {
    H2FencingRaceTest() {
        super(H2Databases.inMemory(), "SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE blocker_id IS NOT NULL");
    }
}
