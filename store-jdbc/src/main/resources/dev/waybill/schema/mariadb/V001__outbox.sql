-- Waybill on MariaDB and MySQL 8, version 1.
--
-- The shard is a constant of the schema. Who inserts without Waybill computes it so, and leaves seq to the database:
--   CONV(SUBSTR(SHA2(COALESCE(CONCAT(destination, CHAR(10), event_key), id), 256), 1, 2), 16, 10) >> 2
--
-- Every INSERT into the outbox must lock a row of writer_slot before it draws its number, because that lock is how a
-- relay knows that a lower number may still be committed. A value of its first row does it, for any slot of 0 to 255:
--   INSERT INTO outbox (shard, ..., attempts)
--   VALUES (..., (SELECT 0 FROM writer_slot WHERE slot = 17 LOCK IN SHARE MODE)), (..., 0)
--
-- DDL commits by itself here. After a crash half-way the script runs again, and what is there already is passed over.
-- There are no partial indexes. What PostgreSQL has two of them for is one column here (sought, version 2), which is null
-- for most rows: they stand side by side in its index, in the order in which they come and go.
-- ${collation}: bytes, without padding ('a' is neither 'A' nor 'a '): utf8mb4_nopad_bin on MariaDB, utf8mb4_0900_bin on
-- MySQL.

CREATE TABLE ${schema.}${prefix}outbox (
    seq          bigint NOT NULL AUTO_INCREMENT,
    shard        smallint NOT NULL CHECK (shard BETWEEN 0 AND 63),
    id           char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- a UUID in lower case
    destination  varchar(200) NOT NULL,
    event_key    varchar(255),
    type         varchar(200) NOT NULL,
    version      int NOT NULL,
    content_type varchar(100) NOT NULL,
    headers      mediumtext,                 -- a JSON object of strings; null: none
    payload      longblob NOT NULL,
    payload_size int GENERATED ALWAYS AS (OCTET_LENGTH(payload)) STORED, -- or a scan would read what it leaves out
    occurred_at  datetime(6) NOT NULL,       -- all times are UTC
    available_at datetime(6),                -- what the event asks for; null: at once
    retry_at     datetime(6),                -- what its last failure asks for
    due_at       datetime(6) GENERATED ALWAYS AS (COALESCE(retry_at, available_at)) STORED,
    attempts     int NOT NULL DEFAULT 0,
    last_error   text,
    -- Serves the settle, and a backlog of many shards. InnoDB wants an index that begins with the number that it draws.
    PRIMARY KEY (seq),
    -- Serves the fetch: a shard's rows by sequence.
    KEY ${prefix}outbox_shard (shard, seq),
    -- Delayed and retried entries that become due.
    KEY ${prefix}outbox_due (shard, due_at, seq)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

CREATE TABLE ${schema.}${prefix}dead_letter (
    seq          bigint NOT NULL,
    shard        smallint NOT NULL,
    id           char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    destination  varchar(200) NOT NULL,
    event_key    varchar(255),
    type         varchar(200) NOT NULL,
    version      int NOT NULL,
    content_type varchar(100) NOT NULL,
    headers      mediumtext,
    payload      longblob NOT NULL,
    occurred_at  datetime(6) NOT NULL,
    available_at datetime(6),
    attempts     int NOT NULL,
    last_error   text,
    state        varchar(10) NOT NULL CHECK (state IN ('DEAD', 'SKIPPED', 'DISCARDED', 'WAITING')),
    died_at      datetime(6),                -- null while it waits behind another one
    PRIMARY KEY (seq),
    -- What waits behind a dead letter, in order.
    KEY ${prefix}dead_letter_waiting (destination, event_key, state, seq),
    -- Listing dead letters without reading over those that only wait.
    KEY ${prefix}dead_letter_dead (state, seq),
    -- Cancelling a delayed event that waits behind a dead letter.
    KEY ${prefix}dead_letter_delayed (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

CREATE TABLE ${schema.}${prefix}parked_key (
    destination varchar(200) NOT NULL,
    event_key   varchar(255) NOT NULL,
    shard       smallint NOT NULL,
    state       varchar(10) NOT NULL CHECK (state IN ('PARKED', 'RELEASING')),
    dead_seq    bigint NOT NULL,
    parked_at   datetime(6) NOT NULL,
    PRIMARY KEY (destination, event_key),
    -- A relay reads the parked keys of its shards.
    KEY ${prefix}parked_key_shard (shard)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

CREATE TABLE ${schema.}${prefix}lease (
    shard      smallint NOT NULL,
    owner      char(36) CHARACTER SET ascii COLLATE ascii_bin, -- null: free
    epoch      bigint NOT NULL,              -- grows with every take: what a settle is fenced by
    expires_at datetime(6) NOT NULL,
    rewind     bigint NOT NULL,              -- grows when entries are put back below what may have been read
    PRIMARY KEY (shard)
) ENGINE = InnoDB;

INSERT IGNORE INTO ${schema.}${prefix}lease (shard, epoch, expires_at, rewind)
WITH RECURSIVE s (shard) AS (SELECT 0 UNION ALL SELECT shard + 1 FROM s WHERE shard < 63)
SELECT shard, 0, UTC_TIMESTAMP(6), 0 FROM s;

CREATE TABLE ${schema.}${prefix}relay (
    id         char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    expires_at datetime(6) NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB;

-- Whoever writes to the outbox shares one of these rows until its transaction ends: what a relay knows writers by.
CREATE TABLE ${schema.}${prefix}writer_slot (
    slot smallint NOT NULL,
    PRIMARY KEY (slot)
) ENGINE = InnoDB;

INSERT IGNORE INTO ${schema.}${prefix}writer_slot (slot)
WITH RECURSIVE s (slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM s WHERE slot < 255)
SELECT slot FROM s;

-- User locks end with the session and not with the transaction: a strict key locks the row that its hash names.
CREATE TABLE ${schema.}${prefix}key_lock (
    slot smallint NOT NULL,
    PRIMARY KEY (slot)
) ENGINE = InnoDB;

INSERT IGNORE INTO ${schema.}${prefix}key_lock (slot)
WITH RECURSIVE s (slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM s WHERE slot < 255)
SELECT slot FROM s;
