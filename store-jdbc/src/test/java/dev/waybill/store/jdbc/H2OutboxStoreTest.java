package dev.waybill.store.jdbc;

import dev.waybill.testkit.store.OutboxStoreContract;
import dev.waybill.testkit.store.StoreFixture;
import java.time.Duration;
import javax.sql.DataSource;

class H2OutboxStoreTest extends OutboxStoreContract {
    private static final DataSource DATABASE = H2Databases.inMemory();

    @Override
    protected StoreFixture open(Duration retention) {
        return new JdbcStoreFixture(DATABASE, retention);
    }
}
