package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ConnectTest {

    @Test
    void wrongUrlSaysWhatToCheck() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://localhost:1/orders");

        assertThatThrownBy(() -> JdbcOutboxStore.create(nowhere, JdbcStoreConfig.defaults()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("PGSimpleDataSource")
                .hasMessageContaining("localhost:1")
                .hasMessageContaining("Check the JDBC URL")
                .hasMessageContaining("server runs");
    }

    @Test
    void anUnknownDatabaseIsRefusedWithTheListOfKnownOnes() throws SQLException {
        DataSource h2 = H2Databases.inMemory();
        Connection connection = h2.getConnection();
        DatabaseMetaData metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                ConnectTest.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> "Sybase");
        Connection sybase = (Connection) Proxy.newProxyInstance(
                ConnectTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getMetaData") ? metaData : method.invoke(connection, arguments));

        assertThatThrownBy(() -> JdbcOutboxStore.create(new OneConnection(sybase), JdbcStoreConfig.defaults()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Sybase")
                .hasMessageContaining("PostgreSQL, MariaDB (and MySQL 8) and H2");
        connection.close();
    }

    @Test
    void aLostDatabaseIsAStoreExceptionWithOperationAndState() {
        PGSimpleDataSource database = (PGSimpleDataSource) EmbeddedDatabases.postgres18();
        JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        database.setPortNumbers(new int[] {1});

        assertThatThrownBy(() -> store.deadLetters().list(DeadLetterFilter.all(), 0, 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("list dead letters")
                .hasMessageContaining("08001");
        assertThat(store.config().tablePrefix()).isEqualTo("waybill_");
    }
}
