-- Waybill on MariaDB and MySQL 8, version 3: what consumers did with events, and dead letters that were tried again. See
-- version 1 for why every statement is safe to repeat.

-- Which events took effect, for which consumer. Written in the transaction of the effect.
CREATE TABLE ${schema.}${prefix}processed (
    consumer    varchar(200) NOT NULL,
    event_id    char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    generation  int NOT NULL,                -- of the replay that it was delivered by; 0: none
    state       varchar(11) NOT NULL CHECK (state IN ('IN_PROGRESS', 'RETRYING', 'ASIDE', 'DONE')),
    epoch       bigint NOT NULL,             -- grows with every lease: what an effect elsewhere is fenced by
    lease_until datetime(6),                 -- while it is in progress or retrying
    recorded_at datetime(6) NOT NULL,
    -- Grows when the event comes again. An INSERT tells by this change that the row is there, and has locked it for itself:
    -- one that fails shares the lock with all others who come at the same time, and none of them could go on.
    repeats     int NOT NULL DEFAULT 0,
    PRIMARY KEY (consumer, event_id, generation),
    -- Removing what was kept long enough. Grows at its end only.
    KEY ${prefix}processed_recorded (recorded_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

-- Dead letters that somebody had tried again, as they were then. What became of one is where its entry is now: dead again,
-- in the outbox or waiting, or in neither because it has arrived.
CREATE TABLE ${schema.}${prefix}redriven (
    seq           bigint NOT NULL,
    shard         smallint NOT NULL,
    id            char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    destination   varchar(200) NOT NULL,
    event_key     varchar(255),
    type          varchar(200) NOT NULL,
    version       int NOT NULL,
    content_type  varchar(100) NOT NULL,
    headers       mediumtext,
    payload       longblob NOT NULL,
    occurred_at   datetime(6) NOT NULL,
    available_at  datetime(6),
    attempts      int NOT NULL,
    last_error    text,
    replay        int,
    inflated_size int,
    died_at       datetime(6),
    replays       int NOT NULL,              -- how often
    redriven_at   datetime(6) NOT NULL,      -- the last time
    resolved_at   datetime(6),               -- when it was first seen to have arrived
    PRIMARY KEY (seq)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};
