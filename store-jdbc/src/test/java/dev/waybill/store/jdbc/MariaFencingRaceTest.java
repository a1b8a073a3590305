package dev.waybill.store.jdbc;

class MariaFencingRaceTest extends FencingRace {
    MariaFencingRaceTest() {
        super(EmbeddedDatabases.mariadb(), EmbeddedMariaDb.COUNT_WAITING);
    }
}
