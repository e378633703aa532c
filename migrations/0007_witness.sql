-- What this installation has seen of other logs, where it is itself a witness (matchbook witness). A row only ever grows:
-- it is replaced, by compare-and-swap on its size, when a checkpoint was shown to extend it, and before that is signed.

create table witnessed (
    origin text        not null primary key check (origin <> ''),
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    -- The checkpoint with this witness's cosignature, for whoever watches. Null until one was signed.
    note   bytea,
    at     timestamptz not null
);

grant select, insert, update on witnessed to matchbook_serve;
