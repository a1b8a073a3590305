package dev.waybill.store.jdbc;

import javax.sql.DataSource;

class Postgres16InboxTest extends JdbcInboxContracts {
    private static final DataSource DATABASE = EmbeddedDatabases.postgres16();

    @Override
    DataSource database() {
        return DATABASE;
    }
}
