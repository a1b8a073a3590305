package dev.waybill.store.jdbc;

class MariaBacklogScanTest extends BacklogScanContract {

    MariaBacklogScanTest() {
        super(EmbeddedMariaDb.freshDatabase());
    }
}
