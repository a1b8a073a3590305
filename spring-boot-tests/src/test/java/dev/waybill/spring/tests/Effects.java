package dev.waybill.spring.tests;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** What handlers did, in a table of the application, so that a rollback takes it back. */
final class Effects {
    private final JdbcTemplate jdbc;

    Effects(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE IF NOT EXISTS effect (nr SERIAL, what VARCHAR(200))");
    }

    void add(String what) {
        jdbc.update("INSERT INTO effect (what) VALUES (?)", what);
    }

    /** Those that begin with a text, in their order. */
    List<String> of(String prefix) {
        return jdbc.queryForList("SELECT what FROM effect WHERE what LIKE ? ORDER BY nr", String.class, prefix + "%");
    }
}
