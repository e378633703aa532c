-- The log as others follow it: what was signed, what witnesses said of it, and the tiles that are full.

-- The public half of the Ed25519 key that signs checkpoints. Made once, like the log itself.
create table log_keys (
    log_id     integer     not null primary key,
    public_key bytea       not null check (octet_length(public_key) = 32),
    created_at timestamptz not null
);

-- The last checkpoint that was signed. Signing replaces it by compare-and-swap on its size and root, so that of two nodes
-- only one extends it, and neither ever signs a tree that does not extend it. This row may be ahead of `entries` after a
-- restore or a failover that lost commits: then nothing is signed any more.
create table signed_head (
    log_id integer     not null primary key,
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    at     timestamptz not null
);

-- Every checkpoint that was signed, as it was signed.
create table checkpoints (
    log_id integer     not null,
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    note   bytea       not null,
    at     timestamptz not null,
    constraint checkpoints_pkey primary key (log_id, size)
);

-- What witnesses signed: one line of a signed note for each witness (by the name of its key) and checkpoint.
create table cosignatures (
    log_id  integer     not null,
    size    bigint      not null,
    witness text        not null check (witness <> ''),
    line    text        not null,
    at      timestamptz not null,
    constraint cosignatures_pkey primary key (log_id, size, witness)
);

-- The full tiles of the tree, 256 hashes each, and the root of each, which is a hash of the level above. Derived.
create table tiles (
    log_id integer  not null,
    level  smallint not null check (level between 0 and 7),
    tile   bigint   not null check (tile >= 0),
    hashes bytea    not null check (octet_length(hashes) = 8192),
    root   bytea    not null check (octet_length(root) = 32),
    constraint tiles_pkey primary key (log_id, level, tile)
);

grant select, insert on log_keys, checkpoints, cosignatures, tiles to matchbook_serve;
grant select, insert, update on signed_head to matchbook_serve;
