-- Umpires, players' links and programs, and how they sign in. None of this is part of the record: there an umpire is a
-- pseudonym, and a player is a seat.
--
-- Links, cookies, tokens and codes are secrets: only their SHA-256 is stored.

create table umpires (
    -- The pseudonym. Entries name it for good, so a row is never deleted.
    id            text        not null primary key check (id ~ '^[a-z0-9]{1,32}$'),
    name          text        not null unique check (name <> ''),
    created_at    timestamptz not null,
    role          text        not null default 'umpire' check (role in ('umpire', 'admin')),
    -- Argon2id in PHC notation, salt included. Null: the umpire signs in by links or with Discord.
    password      text        check (password like '$argon2id$%'),
    password_at   timestamptz,
    -- From then on nobody signs in with it.
    closed_at     timestamptz,
    -- The name by which an umpire wants to be known, if any. The record has the pseudonym alone, so that the name can
    -- be withdrawn.
    public_name   text        check (public_name <> ''),
    -- The public name in the form used for comparing: no two umpires have the same.
    public_key    text        collate "C" unique,
    -- True: a password or an account at Discord is not enough to sign in, and a passkey is asked for.
    needs_passkey boolean     not null default false,
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
    via        text        not null default 'link' check (via in ('link', 'password', 'discord', 'passkey')),
    -- To the minute.
    used_at    timestamptz,
    -- The kind of browser: enough to tell one's own from somebody else's, and no more.
    browser    text        not null default '',
    -- The last time that this browser's umpire showed who they are: by a password or by a sign-in link. Null: only with
    -- an account at Discord.
    checked_at timestamptz
);

create index sessions_expiry on sessions (expires_at);
create index sessions_umpire on sessions (umpire_id);

-- An umpire signs in with a device that proves itself, and no secret of theirs is here.
create table passkeys (
    -- The credential's id, by which a browser names it.
    id         bytea       not null primary key check (octet_length(id) between 1 and 1023),
    umpire_id  text        not null references umpires (id),
    -- The umpire's word for the device.
    name       text        not null check (name <> ''),
    -- The public key, the counter and the flags, as the library writes them.
    passkey    text        not null,
    created_at timestamptz not null,
    used_at    timestamptz
);

create index passkeys_umpire on passkeys (umpire_id);

-- A challenge that a browser is answering. The form has its token; only its SHA-256 is here. A row is used once.
create table passkey_challenges (
    token      bytea       not null primary key check (octet_length(token) = 32),
    -- The umpire who adds a passkey. Null for a sign-in.
    umpire_id  text        references umpires (id),
    state      text        not null,
    expires_at timestamptz not null
);

create index passkey_challenges_age on passkey_challenges (expires_at);

-- A player's private link to one seat of one match. A link that was revoked opens nothing.
create table player_links (
    token      bytea       not null primary key check (octet_length(token) = 32),
    log_id     integer     not null,
    match_id   uuid        not null,
    seat       text        not null check (seat in ('p1', 'p2')),
    created_at timestamptz not null,
    revoked_at timestamptz,
    -- The last time that a program played with it, to the minute.
    used_at    timestamptz,
    -- The number by which entries name it, from 0. Null for a link that the record does not mention.
    number     integer     check (number >= 0)
);

create index player_links_match on player_links (log_id, match_id, seat);

-- A browser that followed such a link, by its cookie. The session ends with the link.
create table player_sessions (
    cookie     bytea       not null primary key check (octet_length(cookie) = 32),
    link       bytea       not null references player_links (token),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- A browser of the link that offered a second key for the seat is entered once.
    refused_at timestamptz
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
    -- A year after it was made at most.
    expires_at timestamptz not null,
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

-- What happened to accounts: sign-ins and failed ones, links, tokens, roles, passwords. Beside the record, and like it
-- append-only as a matter of grants: the role that serves can look and add. Only failed sign-ins, which strangers make, are
-- few in an hour, and old ones go.
--
-- No secret is in it: no password, link, cookie or token, nor what somebody typed as a name.

create table account_events (
    id         bigint      not null primary key generated always as identity,
    at         timestamptz not null,
    kind       text        not null check (kind ~ '^[a-z-]{1,40}$'),
    -- The account. Null: a failed sign-in under a name or a link that nobody has.
    umpire_id  text        references umpires (id),
    -- Who did it. Null: nobody who was signed in, which is the command line or a failed sign-in.
    by_id      text        references umpires (id),
    channel    text        not null check (channel in ('pages', 'api', 'discord', 'command-line')),
    -- The sender's address as the rate limits count it: for IPv6 the network of one household. Empty without one.
    address    text        not null default '',
    -- Details, such as the name of a token or the kind of browser.
    note       text        not null default ''
);

create index account_events_umpire on account_events (umpire_id, id);
create index account_events_failed on account_events (coalesce(umpire_id, ''), at) where kind = 'sign-in-failed';

-- Whom the umpire of a match named, by the match's short name.
create index account_events_named on account_events (note)
    where kind in ('helper-named', 'helper-dismissed', 'commentator-named', 'commentator-dismissed');

-- Deletes failed sign-ins that are 90 days older than the newest event. The caller chooses no time: no right of the role
-- that serves reaches an event that is less than 90 days old.
create function prune_sign_in_failures() returns void
    language sql security definer
as $$
    delete from account_events where kind = 'sign-in-failed' and at < interval '-90 days'
        + least(now(), (select newest.at from account_events as newest order by newest.id desc limit 1))
$$;

-- It runs with its owner's rights. So its names must mean the tables of this schema.
do $$
begin
    execute format('alter function prune_sign_in_failures() set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;

revoke execute on function prune_sign_in_failures() from public;
grant execute on function prune_sign_in_failures() to matchbook_serve;

grant select, insert on umpires, api_tokens, account_events to matchbook_serve;
grant update (role, password, password_at, closed_at, public_name, public_key, needs_passkey) on umpires to matchbook_serve;
grant update (used_at, revoked_at) on api_tokens to matchbook_serve;
grant select, insert, update on player_links to matchbook_serve;
grant select, insert, delete on player_sessions to matchbook_serve;
grant update (refused_at) on player_sessions to matchbook_serve;
grant select, insert, update, delete on sign_in_links, sessions, api_answers to matchbook_serve;
grant select, insert, update, delete on passkeys to matchbook_serve;
grant select, insert, delete on passkey_challenges to matchbook_serve;
