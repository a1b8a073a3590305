package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class H2BacklogScanTest extends BacklogScanContract {

    H2BacklogScanTest() {
        super(H2Databases.inMemory());
    }

    /** One tree less to change for every event. A later migration that copies the table could lose it without a word. */
    @Test
    void thePrimaryKeyIsWhereTheRowsAre() {
        assertThat(Sql.number(database, """
                SELECT count(*) FROM INFORMATION_SCHEMA.INDEXES WHERE UPPER(table_name) = 'WAYBILL_OUTBOX'
                    AND index_type_name = 'PRIMARY KEY' AND index_class LIKE '%.MVDelegateIndex'
                """)).isEqualTo(1);
    }
}
