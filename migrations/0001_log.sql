-- The log: its entries, the tree over them, and everything that was signed.
--
-- The public record consists of the rows of `entries`, and an entry is bytes: what is hashed is what is stored, and no
-- other column is ever read back into it. The other columns repeat what the bytes say (match_id, seq), their hash
-- (leaf), or their place (pos), so that the database can refuse a second entry in one place.
--
-- Every key begins with log_id: 1 is the record, and 2 is practice (0008_practice.sql). No entry passes a sequence,
-- trigger, foreign key or stored procedure: the writer assigns its position, in the statement that inserts it.

-- Append-only is a matter of grants. The role that serves can read and add; it can neither change nor remove what the
-- record is made of.
--
-- Roles belong to the whole server. So two databases that are migrated at once may both try to make the role; the
-- second finds it (unique_violation, or "tuple concurrently updated", which has no code of its own).
do $$
begin
    if not exists (select from pg_roles where rolname = 'matchbook_serve') then
        create role matchbook_serve nologin;
    end if;
exception when duplicate_object or unique_violation or internal_error then
    null;
end
$$;

do $$
begin
    if not pg_has_role(current_user, 'matchbook_serve', 'member') then
        execute format('grant matchbook_serve to %I', current_user);
    end if;
exception when unique_violation or internal_error then
    null;
end
$$;

-- A log: its name, and the public half of the key that signs receipts. The first start makes it, and nothing changes
-- it.
create table logs (
    log_id     integer     not null primary key,
    origin     text        not null check (origin <> ''),
    host_key   bytea       not null check (octet_length(host_key) = 32),
    created_at timestamptz not null
);

-- One row for each log, never updated. A writer that has met another one lately locks it while it appends, so that the
-- two take turns and do not undo each other's work. Correctness does not depend on it, but on the primary key of
-- `entries`.
create table writers (
    log_id integer not null primary key
);

-- The entries, in the one order of the log: pos is the index of the leaf in the tree, from 0 without gaps.
--
-- submit_id makes a client's retries harmless. The first entry of an append has it, with the digest of the request and
-- the number of entries that came of it. So a repetition gets the first answer.
create table entries (
    log_id        integer  not null,
    pos           bigint   not null check (pos >= 0),
    match_id      uuid     not null,
    seq           integer  not null check (seq >= 0),
    leaf          bytea    not null check (octet_length(leaf) = 32),
    bytes         bytea    not null check (octet_length(bytes) <= 65535),
    submit_id     bytea    check (octet_length(submit_id) = 16),
    submit_digest bytea    check (octet_length(submit_digest) = 32),
    submit_len    smallint check (submit_len > 0),
    constraint entries_pkey primary key (log_id, pos),
    constraint entries_match_seq_key unique (log_id, match_id, seq),
    constraint entries_submit_whole check (num_nulls(submit_id, submit_digest, submit_len) in (0, 3))
);

create unique index entries_submit_key on entries (log_id, submit_id) where submit_id is not null;

-- The tree after every batch. `frontier` holds the roots of its perfect subtrees, the largest first, 32 bytes each: a
-- writer starts from the last row and does not hash the whole log again. It is derived, and folds to `root`.
create table tree_heads (
    log_id   integer     not null,
    size     bigint      not null check (size > 0),
    root     bytea       not null check (octet_length(root) = 32),
    frontier bytea       not null,
    at       timestamptz not null,
    constraint tree_heads_pkey primary key (log_id, size)
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

-- The public half of the Ed25519 key that signs checkpoints. Made once, like the log itself.
create table log_keys (
    log_id     integer     not null primary key,
    public_key bytea       not null check (octet_length(public_key) = 32),
    created_at timestamptz not null
);

-- A log that lost what it had signed (a restored backup, a failover that lost commits) must not sign under its old
-- name again: whoever holds an old checkpoint would see two histories. It continues under a new origin, which names
-- the last tree that both have in common. The entries stay, and so does the origin that seals name.
--
-- Each origin is a term with keys of its own: for checkpoints, and for the host's receipts. Term 0 is the log's own, and
-- has no row here: its keys are in `log_keys` and `logs`. The key of the term before signs who succeeds it, so that nobody
-- else can; where it is lost, `named` is null.
create table successions (
    log_id    integer     not null,
    term      smallint    not null check (term > 0),
    origin    text        not null check (origin <> ''),
    -- The last tree that the term before signed and that the entries still have.
    size      bigint      not null check (size >= 0),
    root      bytea       not null check (octet_length(root) = 32),
    at        timestamptz not null,
    -- The last tree that the term before signed. What it has more than `size` entries is lost.
    last_size bigint      not null check (last_size >= size),
    last_root bytea       not null check (octet_length(last_root) = 32),
    log_key   bytea       not null check (octet_length(log_key) = 32),
    host_key  bytea       not null check (octet_length(host_key) = 32),
    named     text,
    constraint successions_pkey primary key (log_id, term)
);

-- The last checkpoint that was signed. Signing replaces it by compare-and-swap on size and root. So only one of two
-- nodes extends it, and neither ever signs a tree that does not extend it. After a restore, or a failover that lost
-- commits, this row may be ahead of `entries`: then nothing is signed any more.
create table signed_head (
    log_id integer     not null primary key,
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    at     timestamptz not null,
    term   smallint    not null default 0 check (term >= 0)
);

-- Every checkpoint that was signed, as it was signed. Those of earlier terms stay: somebody may show one.
create table checkpoints (
    log_id integer     not null,
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    note   bytea       not null,
    at     timestamptz not null,
    term   smallint    not null default 0 check (term >= 0),
    constraint checkpoints_pkey primary key (log_id, term, size)
);

-- The signatures of witnesses: one line of a signed note for each checkpoint and witness, by the name of its key.
create table cosignatures (
    log_id  integer     not null,
    size    bigint      not null,
    witness text        not null check (witness <> ''),
    line    text        not null,
    at      timestamptz not null,
    term    smallint    not null default 0 check (term >= 0),
    constraint cosignatures_pkey primary key (log_id, term, size, witness)
);

-- The last checkpoint of each other log for which this installation is a witness (matchbook witness). A row only ever
-- grows. It is replaced by compare-and-swap on its size, once a checkpoint is shown to extend it, and before that one
-- is signed.
create table witnessed (
    origin text        not null primary key check (origin <> ''),
    size   bigint      not null check (size >= 0),
    root   bytea       not null check (octet_length(root) = 32),
    -- The checkpoint with this witness's cosignature, for whoever watches. Null until one was signed.
    note   bytea,
    at     timestamptz not null
);

-- `select ... for update` of a row needs a grant of update, even if nothing updates it: `writers`.
grant select, insert on logs, entries, tree_heads, tiles, log_keys, checkpoints, cosignatures to matchbook_serve;
grant select, insert, update on writers, signed_head, witnessed to matchbook_serve;
-- Only the owner starts a term (matchbook log succeed).
grant select on successions to matchbook_serve;
