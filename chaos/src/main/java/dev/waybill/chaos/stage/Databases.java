package dev.waybill.chaos.stage;

import java.nio.file.Path;

/** The databases that a run can have. */
public enum Databases {
    POSTGRES;

    DatabaseServer start(Path folder) {
        return switch (this) {
            case POSTGRES -> PostgresServer.create(folder);
        };
    }
}
