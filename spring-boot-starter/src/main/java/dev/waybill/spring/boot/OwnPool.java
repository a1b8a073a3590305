package dev.waybill.spring.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** A small pool beside the application's, made like it. Only loaded where HikariCP is on the class path. */
final class OwnPool {
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private OwnPool() {}

    /** Whether a data source is a pool that another one can be made of. */
    static boolean isPossible(DataSource dataSource) {
        return ClassUtils.isPresent(HIKARI, OwnPool.class.getClassLoader()) && Hikari.unwrap(dataSource) != null;
    }

    /** A pool to the same database, with the same driver, user and properties. */
    static DataSource like(DataSource dataSource, String name, int size) {
        return Hikari.like(dataSource, name, size);
    }

    /** What knows Hikari's classes. */
    private static final class Hikari {

        static @Nullable HikariDataSource unwrap(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        ? dataSource.unwrap(HikariDataSource.class)
                        : null;
            } catch (SQLException e) {
                return null;
            }
        }

        static DataSource like(DataSource dataSource, String name, int size) {
            HikariDataSource pool = unwrap(dataSource);
            if (pool == null) {
                throw new IllegalArgumentException(dataSource + " is no HikariDataSource.");
            }
            HikariConfig config = new HikariConfig();
            pool.copyStateTo(config);
            config.setPoolName("waybill-" + name);
            config.setMaximumPoolSize(size);
            config.setMinimumIdle(1);
            config.setAutoCommit(true);
            config.setReadOnly(false);
            return new HikariDataSource(config);
        }
    }
}
