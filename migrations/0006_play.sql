-- Players: what they send by themselves, and the links that let them.

-- Who sent a submission, as entries name them (p1, p2 or umpire:...): an umpire may type for a seat. Null in rows from
-- before players could send by themselves, all of which umpires typed. Where a seat has a key, its signature over the
-- submission stands here, with the checkpoint that the player had verified last.
alter table submissions
    add column sent_by   text,
    add column signature bytea check (octet_length(signature) = 64),
    add column seen_size bigint check (seen_size >= 0),
    add column seen_root bytea check (octet_length(seen_root) = 32),
    add constraint submissions_signed_whole check (num_nulls(signature, seen_size, seen_root) in (0, 3));

-- A player's private link to one seat of one match. Only its SHA-256 is kept; a link that was revoked opens nothing.
create table player_links (
    token      bytea       not null primary key check (octet_length(token) = 32),
    log_id     integer     not null,
    match_id   uuid        not null,
    seat       text        not null check (seat in ('p1', 'p2')),
    created_at timestamptz not null,
    revoked_at timestamptz
);

create index player_links_match on player_links (log_id, match_id, seat);

-- A browser that followed such a link. Only the SHA-256 of its cookie is kept; it ends with its link.
create table player_sessions (
    cookie     bytea       not null primary key check (octet_length(cookie) = 32),
    link       bytea       not null references player_links (token),
    created_at timestamptz not null,
    expires_at timestamptz not null
);

create index player_sessions_expiry on player_sessions (expires_at);

grant select, insert, update on player_links to matchbook_serve;
grant select, insert, delete on player_sessions to matchbook_serve;
