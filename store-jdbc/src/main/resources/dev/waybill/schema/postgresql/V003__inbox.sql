-- Waybill on PostgreSQL, version 3: what consumers did with events, and dead letters that were tried again.

-- Which events took effect, for which consumer. Written in the transaction of the effect.
CREATE TABLE ${schema.}${prefix}processed (
    event_id    uuid NOT NULL,
    epoch       bigint NOT NULL,              -- grows with every lease: what an effect elsewhere is fenced by
    lease_until timestamptz,               -- while it is in progress or retrying
    recorded_at timestamptz NOT NULL,
    generation  int NOT NULL,                 -- of the replay that it was delivered by; 0: none
    state       varchar(11) NOT NULL CHECK (state IN ('IN_PROGRESS', 'RETRYING', 'ASIDE', 'DONE')),
    consumer    text COLLATE "C" NOT NULL,
    CONSTRAINT ${prefix}processed_pk PRIMARY KEY (consumer, event_id, generation)
) WITH (
    -- What is removed is a small share of many rows.
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, vacuum_truncate = false
);

-- Removing what was kept long enough. Rows are written in the order of time, so that a few numbers for each range of pages
-- are enough; a B-tree would be one more index to write for every event.
CREATE INDEX ${prefix}processed_recorded ON ${schema.}${prefix}processed
    USING brin (recorded_at) WITH (autosummarize = on);

-- Dead letters that somebody had tried again, as they were then. What became of one is where its entry is now: dead again,
-- in the outbox or waiting, or in neither because it has arrived.
CREATE TABLE ${schema.}${prefix}redriven (
    seq           bigint NOT NULL,
    shard         smallint NOT NULL,
    id            uuid NOT NULL,
    destination   text COLLATE "C" NOT NULL,
    event_key     text COLLATE "C",
    type          text NOT NULL,
    version       int NOT NULL,
    content_type  text NOT NULL,
    headers       text,
    payload       bytea NOT NULL,
    occurred_at   timestamptz NOT NULL,
    available_at  timestamptz,
    attempts      int NOT NULL,
    last_error    text,
    replay        int,
    inflated_size int,
    died_at       timestamptz,
    replays       int NOT NULL,               -- how often
    redriven_at   timestamptz NOT NULL,    -- the last time
    resolved_at   timestamptz,             -- when it was first seen to have arrived
    CONSTRAINT ${prefix}redriven_pk PRIMARY KEY (seq)
);

-- Whether something of a key waits in a siding, whose rows have a replay, if only 0. An outbox has none of those: a relay finds
-- the rest of a key by shard and sequence, so that writers need not keep an index by key.
CREATE INDEX ${prefix}outbox_aside ON ${schema.}${prefix}outbox (destination, event_key, seq)
    WHERE replay IS NOT NULL;
