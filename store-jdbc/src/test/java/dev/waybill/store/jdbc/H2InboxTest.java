package dev.waybill.store.jdbc;

import javax.sql.DataSource;

class H2InboxTest extends JdbcInboxContracts {
    private static final DataSource DATABASE = H2Databases.inMemory();

    @Override
    DataSource database() {
        return DATABASE;
    }
}
