-- Webhooks and Discord. None of this is part of the record. Messages are made from entries when they are sent, so that
-- nothing which was withdrawn stays here.

-- Webhooks send public events to addresses that umpires name, by the rules of Standard Webhooks.
create table webhooks (
    id          uuid        not null primary key,
    log_id      integer     not null,
    umpire_id   text        not null references umpires (id),
    address     text        not null check (address <> ''),
    -- The address of this site, as the umpire's browser called it.
    site        text        not null,
    -- The events that it gets.
    kinds       text[]      not null,
    -- Encrypted under a key that is not in the database. After a rotation the old one signs beside the new one for a
    -- while.
    secret      bytea       not null,
    old_secret  bytea,
    old_until   timestamptz,
    -- The form that asked for the last rotation: sent twice, it rotates once.
    rotation    uuid,
    -- It gets entries from this position of the log on.
    since       bigint      not null check (since >= 0),
    created_at  timestamptz not null,
    -- Nothing is sent while these are set: somebody stopped it, or too much failed for too long.
    stopped_at  timestamptz,
    stopped_why text,
    -- The receiver does not answer, or asks for a pause: nothing is sent to it before this time.
    held_until  timestamptz,
    constraint webhooks_old_whole check (num_nulls(old_secret, old_until) in (0, 2)),
    constraint webhooks_stopped_whole check (num_nulls(stopped_at, stopped_why) in (0, 2))
);

create index webhooks_of on webhooks (log_id, umpire_id, created_at);

-- Messages to send, and messages that were sent: one row for each webhook and entry, made by following the log. A test
-- belongs to no entry.
create table webhook_messages (
    hook       uuid        not null references webhooks (id) on delete cascade,
    -- The same however often it is sent: the receiver recognises a repetition by it.
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

-- Each attempt and its answer, for 30 days.
create table webhook_attempts (
    hook    uuid        not null,
    message text        not null,
    at      timestamptz not null,
    -- Null if there was no answer.
    status  smallint,
    took_ms integer     not null,
    said    text        not null,
    constraint webhook_attempts_pkey primary key (hook, message, at),
    constraint webhook_attempts_message foreign key (hook, message)
        references webhook_messages (hook, id) on delete cascade
);

create index webhook_attempts_age on webhook_attempts (at);

-- The node that sends, until when by the database's clock, and the position up to which messages have followed the
-- log.
create table webhook_sending (
    log_id integer     not null primary key,
    pos    bigint      not null check (pos >= 0),
    holder uuid        not null,
    until  timestamptz not null
);

-- Discord's ids are snowflakes: 64 bits of which the first stays 0 until 2084, so that they fit a bigint.

-- An umpire's account at Discord: it acts there as this umpire.
create table discord_umpires (
    user_id   bigint      not null primary key check (user_id > 0),
    umpire_id text        not null references umpires (id),
    linked_at timestamptz not null
);

-- A code that links the account which types it to an umpire, once. Only its SHA-256 is stored.
create table discord_codes (
    code       bytea       not null primary key check (octet_length(code) = 32),
    umpire_id  text        not null references umpires (id),
    expires_at timestamptz not null
);

-- Sign-ins, and links of an account, that a browser has begun at Discord and not ended yet. The browser has the token
-- in a cookie; only its SHA-256 is here. A row is used once.
create table discord_sign_ins (
    token      bytea       not null primary key check (octet_length(token) = 32),
    -- The umpire who links an account. Null for a sign-in.
    umpire_id  text        references umpires (id),
    expires_at timestamptz not null
);

create index discord_sign_ins_age on discord_sign_ins (expires_at);

-- A player's account at Discord, in a seat by a private link, as a browser is that followed it: revoking the link
-- removes the account from the seat. An account has one seat of a match at most, the last that it took.
create table discord_seats (
    user_id   bigint      not null check (user_id > 0),
    log_id    integer     not null,
    match_id  uuid        not null,
    link      bytea       not null references player_links (token),
    linked_at timestamptz not null,
    constraint discord_seats_pkey primary key (user_id, log_id, match_id)
);

create index discord_seats_match on discord_seats (log_id, match_id);

-- A channel that follows a match. Everything between next_seq and the head of the match is still to be posted, so this
-- row is the whole queue. One node posts, while it holds the lease by the database's clock. next_seq moves by
-- compare-and-swap after Discord has accepted a post: a crash in between posts once more, and never less.
create table discord_channels (
    channel_id     bigint      not null primary key check (channel_id > 0),
    log_id         integer     not null,
    match_id       uuid        not null,
    -- The address of this site, for the links in posts.
    site           text        not null,
    -- The webhook that posts, and the channel in which it was made: a thread has none of its own. Its token is
    -- encrypted under a key that is not in the database.
    webhook_id     bigint      not null check (webhook_id > 0),
    webhook_parent bigint      not null check (webhook_parent > 0),
    webhook_token  bytea       not null,
    next_seq       integer     not null check (next_seq >= 0),
    linked_by      text        not null references umpires (id),
    linked_at      timestamptz not null,
    -- The reason why posting has stopped, in a sentence. Null while it works.
    failure        text,
    leased_by      uuid,
    leased_until   timestamptz
);

create index discord_channels_match on discord_channels (log_id, match_id);

grant select, insert, update, delete on webhooks, webhook_messages, webhook_attempts to matchbook_serve;
grant select, insert, update on webhook_sending to matchbook_serve;
grant select, insert, update, delete on discord_umpires, discord_codes, discord_seats, discord_channels to matchbook_serve;
grant select, insert, delete on discord_sign_ins to matchbook_serve;
