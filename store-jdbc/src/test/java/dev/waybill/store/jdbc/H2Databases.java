package dev.waybill.store.jdbc;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** H2 databases for the tests: every call answers one of its own. */
final class H2Databases {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private H2Databases() {}

    static DataSource inMemory() {
        return dataSource("jdbc:h2:mem:waybill" + COUNT.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000");
    }

    static DataSource file(Path folder) {
        return dataSource("jdbc:h2:file:" + folder.resolve("waybill").toAbsolutePath());
    }

    private static DataSource dataSource(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("sa");
        return dataSource;
    }
}
