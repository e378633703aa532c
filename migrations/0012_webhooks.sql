-- Webhooks: what happened in public, sent to addresses that umpires name, by the rules of Standard Webhooks. None of this
-- is part of the record; what is sent is made from entries when it is sent, so that nothing which was withdrawn stays here.

-- An address, and what it is told. Its secret is encrypted under a key that is not in the database; after a rotation the
-- old one signs beside the new one for a while. `site` is where this site is, as the umpire's browser called it.
create table webhooks (
    id          uuid        not null primary key,
    log_id      integer     not null,
    umpire_id   text        not null references umpires (id),
    address     text        not null check (address <> ''),
    site        text        not null,
    kinds       text[]      not null,
    secret      bytea       not null,
    old_secret  bytea,
    old_until   timestamptz,
    -- The form that asked for the last rotation: sent twice, it rotates once.
    rotation    uuid,
    -- It is told of entries from this position of the log on.
    since       bigint      not null check (since >= 0),
    created_at  timestamptz not null,
    -- Nothing is sent while these are set: somebody stopped it, or too much failed for too long.
    stopped_at  timestamptz,
    stopped_why text,
    -- The receiver does not answer, or asks for rest: nothing is sent to it before this.
    held_until  timestamptz,
    constraint webhooks_old_whole check (num_nulls(old_secret, old_until) in (0, 2)),
    constraint webhooks_stopped_whole check (num_nulls(stopped_at, stopped_why) in (0, 2))
);

create index webhooks_of on webhooks (log_id, umpire_id, created_at);

-- What is to be sent, and what was: one row an address and entry, made by following the log. A test belongs to no entry.
create table webhook_messages (
    hook       uuid        not null references webhooks (id) on delete cascade,
    -- The same however often it is sent: the receiver knows a repetition by it.
    id         text        not null check (id <> ''),
    kind       text        not null check (kind <> ''),
    match_id   uuid,
    seq        integer     check (seq >= 0),
    pos        bigint      check (pos >= 0),
    created_at timestamptz not null,
    attempts   smallint    not null default 0 check (attempts >= 0),
    due_at     timestamptz not null,
    done_at    timestamptz,
    constraint webhook_messages_pkey primary key (hook, id),
    constraint webhook_messages_entry_whole check (num_nulls(match_id, seq, pos) in (0, 3))
);

create index webhook_messages_waiting on webhook_messages (hook, match_id, pos) where done_at is null;
create index webhook_messages_newest on webhook_messages (hook, created_at desc, pos desc);

-- Each attempt, and what was answered. Kept for 30 days.
create table webhook_attempts (
    hook    uuid        not null,
    message text        not null,
    at      timestamptz not null,
    -- None where nothing was answered.
    status  smallint,
    took_ms integer     not null,
    said    text        not null,
    constraint webhook_attempts_pkey primary key (hook, message, at),
    constraint webhook_attempts_message foreign key (hook, message)
        references webhook_messages (hook, id) on delete cascade
);

create index webhook_attempts_age on webhook_attempts (at);

-- Which node sends, until when, by the database's clock; and how far the messages have followed the log.
create table webhook_sending (
    log_id integer     not null primary key,
    pos    bigint      not null check (pos >= 0),
    holder uuid        not null,
    until  timestamptz not null
);

grant select, insert, update, delete on webhooks, webhook_messages, webhook_attempts to matchbook_serve;
grant select, insert, update on webhook_sending to matchbook_serve;
