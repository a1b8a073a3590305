package dev.waybill.store.jdbc;

import javax.sql.DataSource;

class Postgres18InboxTest extends JdbcInboxContracts {
    private static final DataSource DATABASE = EmbeddedDatabases.postgres18();

    @Override
    DataSource database() {
        return DATABASE;
    }
}
