-- Discord: which account there is whose here, and which channels follow a match. None of it is part of the record.
--
-- Ids are Discord's snowflakes: 64 bits of which the first stays 0 until 2084, so that they fit a bigint.

-- An umpire's account at Discord. Whoever acts there as this account acts here as this umpire.
create table discord_umpires (
    user_id   bigint      not null primary key check (user_id > 0),
    umpire_id text        not null references umpires (id),
    linked_at timestamptz not null
);

-- A code that links the account in which it is typed to an umpire, once. Only its SHA-256 is kept.
create table discord_codes (
    code       bytea       not null primary key check (octet_length(code) = 32),
    umpire_id  text        not null references umpires (id),
    expires_at timestamptz not null
);

-- A player's account at Discord, in a seat by a private link, as a browser is that followed it: whoever revokes the link
-- takes the account out of the seat. An account sits in one seat of a match at most, the last that it took.
create table discord_seats (
    user_id   bigint      not null check (user_id > 0),
    log_id    integer     not null,
    match_id  uuid        not null,
    link      bytea       not null references player_links (token),
    linked_at timestamptz not null,
    constraint discord_seats_pkey primary key (user_id, log_id, match_id)
);

create index discord_seats_match on discord_seats (log_id, match_id);

-- A channel that follows a match, and how far it has come: what lies between next_seq and the head of the match is still
-- to be posted, so that this row is the whole queue. Whoever posts holds the lease, by the database's clock; next_seq
-- moves by compare-and-swap after Discord has taken a post, so that a crash in between posts once more, and never less.
create table discord_channels (
    channel_id     bigint      not null primary key check (channel_id > 0),
    log_id         integer     not null,
    match_id       uuid        not null,
    -- Where this site is, for the addresses in posts.
    site           text        not null,
    -- The webhook that posts, and the channel it was made in: a thread has none of its own. Its token is encrypted under
    -- a key that is not in the database.
    webhook_id     bigint      not null check (webhook_id > 0),
    webhook_parent bigint      not null check (webhook_parent > 0),
    webhook_token  bytea       not null,
    next_seq       integer     not null check (next_seq >= 0),
    linked_by      text        not null references umpires (id),
    linked_at      timestamptz not null,
    -- Why nothing is posted any more, in a sentence; null while all is well.
    failure        text,
    leased_by      uuid,
    leased_until   timestamptz
);

create index discord_channels_match on discord_channels (log_id, match_id);

grant select, insert, update, delete on discord_umpires, discord_codes, discord_seats, discord_channels
    to matchbook_serve;
