-- Waybill on MariaDB and MySQL 8, version 2: what was delivered, what people decided, and replays. See version 1 for why
-- every statement is safe to repeat.

-- replay: the generation of the replay that the row is a copy for; null or 0: none.
-- inflated_size: the payload is deflated (zlib, RFC 1950) and has so many bytes when it is inflated; null: it is as it is.
ALTER TABLE ${schema.}${prefix}outbox ADD COLUMN replay int;
ALTER TABLE ${schema.}${prefix}outbox ADD COLUMN inflated_size int;

-- What single rows are looked for by: in a siding destination and key, to know whether something of it waits there; else the id
-- of a delayed event, to cancel it. RTRIM, because what a char(36) is depends on a setting of the session.
ALTER TABLE ${schema.}${prefix}outbox ADD COLUMN sought varchar(456) GENERATED ALWAYS AS (
    CASE WHEN replay IS NOT NULL THEN CONCAT(destination, ' ', event_key) WHEN available_at IS NOT NULL THEN RTRIM(id) END
) STORED;
ALTER TABLE ${schema.}${prefix}outbox ADD KEY ${prefix}outbox_sought (sought, seq);

ALTER TABLE ${schema.}${prefix}dead_letter ADD COLUMN replay int;
ALTER TABLE ${schema.}${prefix}dead_letter ADD COLUMN inflated_size int;
ALTER TABLE ${schema.}${prefix}dead_letter ADD COLUMN decided_at datetime(6); -- when it was skipped or discarded

ALTER TABLE ${schema.}${prefix}parked_key MODIFY COLUMN dead_seq bigint; -- null: somebody paused the key
ALTER TABLE ${schema.}${prefix}parked_key ADD COLUMN who varchar(200);
ALTER TABLE ${schema.}${prefix}parked_key ADD COLUMN why varchar(2000);

-- Destinations that somebody holds back.
CREATE TABLE ${schema.}${prefix}pause (
    destination varchar(200) NOT NULL,
    paused_at   datetime(6) NOT NULL,
    who         varchar(200) NOT NULL,
    why         varchar(2000) NOT NULL,
    PRIMARY KEY (destination)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

-- What was delivered.
CREATE TABLE ${schema.}${prefix}history (
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
    delivered_at  datetime(6) NOT NULL,      -- the same for all that one settle wrote
    -- A replay reads in this order.
    PRIMARY KEY (delivered_at, seq),
    -- Finding an event.
    KEY ${prefix}history_id (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

-- Who decided what, when and why. Waybill never changes or removes a row.
CREATE TABLE ${schema.}${prefix}audit (
    seq           bigint NOT NULL AUTO_INCREMENT,
    decided_at    datetime(6) NOT NULL,
    action        varchar(20) NOT NULL,
    subject       varchar(500) NOT NULL,
    event_id      char(36) CHARACTER SET ascii COLLATE ascii_bin,
    who           varchar(200) NOT NULL,
    why           varchar(2000) NOT NULL,
    -- The event as it was before it was edited.
    destination   varchar(200),
    event_key     varchar(255),
    type          varchar(200),
    version       int,
    content_type  varchar(100),
    headers       mediumtext,
    payload       longblob,
    inflated_size int,
    occurred_at   datetime(6),
    available_at  datetime(6),
    PRIMARY KEY (seq)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};

CREATE TABLE ${schema.}${prefix}replay (
    generation   int NOT NULL AUTO_INCREMENT,
    request      char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- the caller's name for it: asking twice starts it once
    from_at      datetime(6) NOT NULL,
    to_at        datetime(6) NOT NULL,
    destination  varchar(200),
    event_key    varchar(255),
    type         varchar(200),
    per_second   int NOT NULL,
    state        varchar(10) NOT NULL CHECK (state IN ('RUNNING', 'PAUSED', 'DONE', 'CANCELLED')),
    replayed     bigint NOT NULL,
    position_at  datetime(6),                -- deliveries up to (position_at, position_seq) were looked at; null: none
    position_seq bigint NOT NULL,
    stepped_at   datetime(6) NOT NULL,       -- entries up to this time's share of the rate were put into the outbox
    started_at   datetime(6) NOT NULL,
    ended_at     datetime(6),
    PRIMARY KEY (generation),
    UNIQUE KEY ${prefix}replay_request (request)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation};
