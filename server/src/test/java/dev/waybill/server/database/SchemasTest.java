package dev.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.cli.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemasTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:x, jdbc:h2:mem:x;SCHEMA=own",
        "jdbc:h2:file:/x/y;schema=other;TRACE_LEVEL_FILE=0, jdbc:h2:file:/x/y;TRACE_LEVEL_FILE=0;SCHEMA=own",
        "jdbc:postgresql://localhost:5/db, jdbc:postgresql://localhost:5/db?currentSchema=own",
        "jdbc:postgresql://h/db?user=a, jdbc:postgresql://h/db?user=a&currentSchema=own",
        "jdbc:postgresql://h/db?currentSchema=other&user=a, jdbc:postgresql://h/db?user=a&currentSchema=own",
        "jdbc:mariadb://localhost:5/db?useSsl=true, jdbc:mariadb://localhost:5/own?useSsl=true",
        "jdbc:mariadb://localhost, jdbc:mariadb://localhost/own",
        "jdbc:mysql://localhost/, jdbc:mysql://localhost/own"
    })
    void theUrlNamesTheSchemaAndKeepsEverythingElse(String url, String expected) {
        assertThat(Schemas.within(url, "own")).isEqualTo(expected);
    }

    @Test
    void aSchemaIsTheConnectionsOwnUntilItIsDropped() throws SQLException {
        Pools.Target target = new Pools.Target("jdbc:h2:mem:schemas;DB_CLOSE_DELAY=-1", "sa", "");
        try (Connection other = Pools.connect(target);
                Statement statement = other.createStatement()) {
            statement.execute("CREATE SCHEMA others");
            try (Connection connection = Pools.connect(Schemas.create(target, "demo_one"))) {
                assertThat(connection.getSchema()).isEqualTo("DEMO_ONE");
                connection.createStatement().execute("CREATE TABLE t (id INT)");
            }
            Schemas.drop(statement, "demo_");
            try (ResultSet schemas = statement.executeQuery(
                    "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME IN ('OTHERS', 'DEMO_ONE')")) {
                schemas.next();
                assertThat(schemas.getInt(1)).isEqualTo(1);
            }
        }
    }
}
