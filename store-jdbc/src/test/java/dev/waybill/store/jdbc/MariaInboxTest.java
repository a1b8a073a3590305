package dev.waybill.store.jdbc;

import javax.sql.DataSource;

class MariaInboxTest extends JdbcInboxContracts {
    private static final DataSource DATABASE = EmbeddedDatabases.mariadb();

    @Override
    DataSource database() {
        return DATABASE;
    }
}
