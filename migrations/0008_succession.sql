-- A log that lost what it had signed (a restored backup, a failover that lost commits) must not sign under its old name
-- again: whoever holds an old checkpoint would be shown two histories. It goes on under a new origin, which names the last
-- tree that both have in common. The entries stay where they are, and so does the origin that seals name.
--
-- Each origin is a term. Term 0 is the log's own, and has no row here.
create table successions (
    log_id integer     not null,
    term   smallint    not null check (term > 0),
    origin text        not null check (origin <> ''),
    -- The last tree that the term before signed and that the entries still have.
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    at     timestamptz not null,
    constraint successions_pkey primary key (log_id, term)
);

-- What an earlier term signed is kept: it is what somebody may come with.
alter table signed_head add column term smallint not null default 0 check (term >= 0);

alter table checkpoints
    add column term smallint not null default 0 check (term >= 0),
    drop constraint checkpoints_pkey,
    add constraint checkpoints_pkey primary key (log_id, term, size);

alter table cosignatures
    add column term smallint not null default 0 check (term >= 0),
    drop constraint cosignatures_pkey,
    add constraint cosignatures_pkey primary key (log_id, term, size, witness);

-- Only the owner starts a term (matchbook log succeed); who serves may look.
grant select on successions to matchbook_serve;
