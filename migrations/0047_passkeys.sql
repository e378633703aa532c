-- Passkeys: an umpire signs in with a device that proves itself, and no secret of theirs is here.

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

alter table sessions
    drop constraint sessions_via_check,
    add constraint sessions_via_check check (via in ('link', 'password', 'discord', 'passkey'));

-- True: a password or an account at Discord is not enough to sign in, and a passkey is asked for.
alter table umpires
    add column needs_passkey boolean not null default false;

grant select, insert, update, delete on passkeys to matchbook_serve;
grant select, insert, delete on passkey_challenges to matchbook_serve;
grant update (needs_passkey) on umpires to matchbook_serve;
