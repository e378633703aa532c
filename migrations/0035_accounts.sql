-- Umpires, players' links and programs, and how they sign in. None of this is part of the record: there an umpire is a
-- pseudonym, and a player is a seat.
--
-- Links, cookies, tokens and codes are secrets: only their SHA-256 is stored.

create table umpires (
    -- The pseudonym. Entries name it for good, so a row is never deleted.
    id          text        not null primary key check (id ~ '^[a-z0-9]{1,32}$'),
    name        text        not null unique check (name <> ''),
    created_at  timestamptz not null,
    role        text        not null default 'umpire' check (role in ('umpire', 'admin')),
    -- Argon2id in PHC notation, salt included. Null: the umpire signs in by links or with Discord.
    password    text        check (password like '$argon2id$%'),
    password_at timestamptz,
    -- From then on nobody signs in with it.
    closed_at   timestamptz,
    -- The name by which an umpire wants to be known, if any. The record has the pseudonym alone, so that the name can
    -- be withdrawn.
    public_name text        check (public_name <> ''),
    -- The public name in the form used for comparing: no two umpires have the same.
    public_key  text        collate "C" unique,
    constraint umpires_public_whole check (num_nulls(public_name, public_key) in (0, 2))
);

-- A link that signs in once, and not after it has expired.
create table sign_in_links (
    token      bytea       not null primary key check (octet_length(token) = 32),
    umpire_id  text        not null references umpires (id),
    expires_at timestamptz not null,
    used_at    timestamptz
);

-- A browser that is signed in, by its cookie.
create table sessions (
    token      bytea       not null primary key check (octet_length(token) = 32),
    umpire_id  text        not null references umpires (id),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    via        text        not null default 'link' check (via in ('link', 'password', 'discord')),
    -- To the minute.
    used_at    timestamptz,
    -- The kind of browser: enough to tell one's own from somebody else's, and no more.
    browser    text        not null default ''
);

create index sessions_expiry on sessions (expires_at);
create index sessions_umpire on sessions (umpire_id);

-- A player's private link to one seat of one match. A link that was revoked opens nothing.
create table player_links (
    token      bytea       not null primary key check (octet_length(token) = 32),
    log_id     integer     not null,
    match_id   uuid        not null,
    seat       text        not null check (seat in ('p1', 'p2')),
    created_at timestamptz not null,
    revoked_at timestamptz,
    -- The last time that a program played with it, to the minute.
    used_at    timestamptz
);

create index player_links_match on player_links (log_id, match_id, seat);

-- A browser that followed such a link, by its cookie. The session ends with the link.
create table player_sessions (
    cookie     bytea       not null primary key check (octet_length(cookie) = 32),
    link       bytea       not null references player_links (token),
    created_at timestamptz not null,
    expires_at timestamptz not null
);

create index player_sessions_expiry on player_sessions (expires_at);

-- A token with which a program acts for an umpire. It may do only what both its scope and the umpire's role allow at
-- that moment. A program that plays a seat uses that seat's private link.
create table api_tokens (
    token      bytea       not null primary key check (octet_length(token) = 32),
    umpire_id  text        not null references umpires (id),
    name       text        not null check (name <> ''),
    scope      text        not null check (scope in ('read', 'umpire', 'admin')),
    created_at timestamptz not null,
    expires_at timestamptz,
    -- To the minute.
    used_at    timestamptz,
    revoked_at timestamptz
);

create index api_tokens_umpire on api_tokens (umpire_id);

-- The answers to requests that carried an Idempotency-Key, for a day: the same request again gets the same answer. An
-- answer may hold secrets that are shown once, so it is encrypted under a key that is not in the database. The digest
-- of the request is an HMAC.
create table api_answers (
    owner    bytea       not null check (octet_length(owner) = 32),
    key      text        not null check (key <> ''),
    digest   bytea       not null check (octet_length(digest) = 32),
    -- Null while the request is being answered.
    answer   bytea,
    at       timestamptz not null,
    -- The practice match of the request: its answers are deleted with it. Null for everything else.
    match_id uuid,
    constraint api_answers_pkey primary key (owner, key)
);

create index api_answers_age on api_answers (at);
create index api_answers_match on api_answers (match_id) where match_id is not null;

grant select, insert on umpires, api_tokens to matchbook_serve;
grant update (role, password, password_at, closed_at, public_name, public_key) on umpires to matchbook_serve;
grant update (used_at, revoked_at) on api_tokens to matchbook_serve;
grant select, insert, update on player_links to matchbook_serve;
grant select, insert, delete on player_sessions to matchbook_serve;
grant select, insert, update, delete on sign_in_links, sessions, api_answers to matchbook_serve;
