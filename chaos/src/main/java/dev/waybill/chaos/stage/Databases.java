package dev.waybill.chaos.stage;

import java.nio.file.Path;

/** The databases that a run can have. */
public enum Databases {
    POSTGRES,
    MARIADB;

    DatabaseServer start(Path data, Path logs) {
        return switch (this) {
            case POSTGRES -> PostgresServer.create(data, logs);
            case MARIADB -> MariaServer.create(data, logs);
        };
    }
}
