-- Waybill on H2, version 3: what consumers did with events, and dead letters that were tried again. See version 1 for why
-- every statement is safe to repeat.

-- Which events took effect, for which consumer. Written in the transaction of the effect.
CREATE TABLE IF NOT EXISTS ${schema.}${prefix}processed (
    consumer    varchar(200) NOT NULL,
    event_id    uuid NOT NULL,
    generation  int NOT NULL,                 -- of the replay that it was delivered by; 0: none
    state       varchar(11) NOT NULL CHECK (CASE state WHEN 'IN_PROGRESS' THEN TRUE WHEN 'RETRYING' THEN TRUE WHEN 'ASIDE' THEN TRUE WHEN 'DONE' THEN TRUE ELSE FALSE END),
    epoch       bigint NOT NULL,              -- grows with every lease: what an effect elsewhere is fenced by
    lease_until timestamp(6) with time zone,  -- while it is in progress or retrying
    recorded_at timestamp(6) with time zone NOT NULL,
    CONSTRAINT ${prefix}processed_pk PRIMARY KEY (consumer, event_id, generation)
);

-- Removing what was kept long enough.
CREATE INDEX IF NOT EXISTS ${schema.}${prefix}processed_recorded ON ${schema.}${prefix}processed (recorded_at);

-- Dead letters that somebody had tried again, as they were then. What became of one is where its entry is now: dead again,
-- in the outbox or waiting, or in neither because it has arrived.
CREATE TABLE IF NOT EXISTS ${schema.}${prefix}redriven (
    seq           bigint NOT NULL,
    shard         smallint NOT NULL,
    id            uuid NOT NULL,
    destination   varchar(200) NOT NULL,
    event_key     varchar(255),
    type          varchar(200) NOT NULL,
    version       int NOT NULL,
    content_type  varchar(100) NOT NULL,
    headers       varchar(1048576),
    payload       varbinary(1048576) NOT NULL,
    occurred_at   timestamp(6) with time zone NOT NULL,
    available_at  timestamp(6) with time zone,
    attempts      int NOT NULL,
    last_error    varchar(4000),
    replay        int,
    inflated_size int,
    died_at       timestamp(6) with time zone,
    replays       int NOT NULL,               -- how often
    redriven_at   timestamp(6) with time zone NOT NULL, -- the last time
    resolved_at   timestamp(6) with time zone, -- when it was first seen to have arrived
    CONSTRAINT ${prefix}redriven_pk PRIMARY KEY (seq)
);
