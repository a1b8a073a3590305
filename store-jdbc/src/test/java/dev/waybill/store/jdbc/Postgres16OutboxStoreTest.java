package dev.waybill.store.jdbc;

import dev.waybill.testkit.store.OutboxStoreContract;
import dev.waybill.testkit.store.StoreFixture;
import java.time.Duration;
import javax.sql.DataSource;

class Postgres16OutboxStoreTest extends OutboxStoreContract {
    private static final DataSource DATABASE = EmbeddedDatabases.postgres16();

    @Override
    protected StoreFixture open(Duration retention) {
        return new JdbcStoreFixture(DATABASE, retention);
    }
}
