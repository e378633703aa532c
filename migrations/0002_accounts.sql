-- Umpires, and how they sign in. None of this is part of the record: there an umpire is a pseudonym.

create table umpires (
    id         text        not null primary key check (id ~ '^[a-z0-9]{1,32}$'),
    name       text        not null unique check (name <> ''),
    created_at timestamptz not null
);

-- A link that signs in once. Only its SHA-256 is kept; a row that was used or is too old opens nothing.
create table sign_in_links (
    token      bytea       not null primary key check (octet_length(token) = 32),
    umpire_id  text        not null references umpires (id),
    expires_at timestamptz not null,
    used_at    timestamptz
);

-- A browser that is signed in. Only the SHA-256 of its cookie is kept.
create table sessions (
    token      bytea       not null primary key check (octet_length(token) = 32),
    umpire_id  text        not null references umpires (id),
    created_at timestamptz not null,
    expires_at timestamptz not null
);

create index sessions_expiry on sessions (expires_at);

grant select, insert on umpires to matchbook_serve;
grant select, insert, update, delete on sign_in_links, sessions to matchbook_serve;
