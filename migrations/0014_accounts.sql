-- Umpires by more than a link: passwords, roles, sessions that can be seen and ended, and tokens for programs. None of
-- this is part of the record.

alter table umpires
    add column role        text not null default 'umpire' check (role in ('umpire', 'admin')),
    -- Argon2id in PHC notation, salt included. Null where a link is the only way in.
    add column password    text check (password like '$argon2id$%'),
    add column password_at timestamptz,
    -- From then on nobody signs in with it. The row stays, because entries name its pseudonym for good.
    add column closed_at   timestamptz;

-- How a session began, when it was used last (to the minute), and what sort of browser it is: enough to tell one's own
-- from somebody else's, and no more.
alter table sessions
    add column via     text        not null default 'link' check (via in ('link', 'password')),
    add column used_at timestamptz,
    add column browser text        not null default '';

create index sessions_umpire on sessions (umpire_id);

-- A token with which a program acts for an umpire. Only its SHA-256 is kept. What it may do is the least of its scope and
-- of its umpire's role at that moment. (A program that plays a seat has that seat's private link: player_links.)
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

-- When a program last played with a link, to the minute.
alter table player_links add column used_at timestamptz;

-- What was answered to a request that carried an Idempotency-Key, for a day: the same request again is answered the same.
-- The answer may hold secrets that are shown once, so it is encrypted under a key that is not in the database; the digest
-- of the request is an HMAC, like those of forms. An answer that is null is being worked on.
create table api_answers (
    owner  bytea       not null check (octet_length(owner) = 32),
    key    text        not null check (key <> ''),
    digest bytea       not null check (octet_length(digest) = 32),
    answer bytea,
    at     timestamptz not null,
    constraint api_answers_pkey primary key (owner, key)
);

create index api_answers_age on api_answers (at);

grant update (role, password, password_at, closed_at) on umpires to matchbook_serve;
grant select, insert on api_tokens to matchbook_serve;
grant update (used_at, revoked_at) on api_tokens to matchbook_serve;
grant select, insert, update, delete on api_answers to matchbook_serve;
