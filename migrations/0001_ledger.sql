-- The ledger.
--
-- Everything the public record consists of is a row of `entries`, and an entry is bytes: what is hashed is what is
-- stored, and no column here is ever read back into it. The other columns repeat what the bytes say (match_id, seq),
-- what they hash to (leaf), or where they came (pos), so that the database can refuse a second entry in one place.
--
-- Every key starts with log_id, a constant today. There are no sequences, triggers, foreign keys or stored procedures on
-- the way of an entry: positions are assigned by the writer, in the statement that inserts.

-- A log: its name and the public half of the key that signs receipts. Made once, at the first start, never changed.
create table logs (
    log_id     integer     not null primary key,
    origin     text        not null check (origin <> ''),
    host_key   bytea       not null check (octet_length(host_key) = 32),
    created_at timestamptz not null
);

-- One row for each log, never updated. A writer that has lately met another locks it while it appends, so that the two
-- take turns instead of undoing each other's work. Correctness does not rest on it: the primary key of `entries` does.
create table writers (
    log_id integer not null primary key
);

-- The entries, in the one order of the log: pos is the index of the leaf in the tree, from 0 without gaps.
--
-- submit_id makes a client's retries harmless. It stands on the first entry of its append, with the digest of what was
-- asked for and the number of entries that came of it, so that a repetition is answered with the first answer.
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

-- The tree after every batch. `frontier` holds the roots of its perfect subtrees, largest first, 32 bytes each: a writer
-- starts from the last row instead of hashing the whole log again. It is derived, and its fold is `root`.
create table tree_heads (
    log_id   integer     not null,
    size     bigint      not null check (size > 0),
    root     bytea       not null check (octet_length(root) = 32),
    frontier bytea       not null,
    at       timestamptz not null,
    constraint tree_heads_pkey primary key (log_id, size)
);

-- What is not public yet, or may be withdrawn. None of it is part of the record.

-- A seat's submissions for a decision before it closes: the commitments in field order, 32 bytes each, and nothing that
-- opens them. The last one counts. Whoever closes the decision inserts a row without commitments as each seat's next
-- ordinal, and only the rows below it count: a submission and the close that race for one ordinal cannot both win it.
create table submissions (
    log_id        integer     not null,
    match_id      uuid        not null,
    decision      text        not null,
    seat          text        not null check (seat in ('p1', 'p2', 'host')),
    ordinal       smallint    not null check (ordinal between 0 and 33),
    at            timestamptz not null,
    commitments   bytea       check (octet_length(commitments) > 0 and octet_length(commitments) % 32 = 0),
    submit_id     bytea       check (octet_length(submit_id) = 16),
    submit_digest bytea       check (octet_length(submit_digest) = 32),
    constraint submissions_pkey primary key (log_id, match_id, decision, seat, ordinal),
    constraint submissions_submit_whole check (num_nulls(submit_id, submit_digest) in (0, 2))
);

create unique index submissions_submit_key on submissions (log_id, submit_id) where submit_id is not null;

-- The openings of a submission while the server holds them, encrypted under a key that is not in the database. A row may
-- go once everything in it is public.
create table escrow (
    log_id     integer  not null,
    match_id   uuid     not null,
    decision   text     not null,
    seat       text     not null,
    ordinal    smallint not null,
    ciphertext bytea    not null,
    constraint escrow_pkey primary key (log_id, match_id, decision, seat, ordinal)
);

-- Words that people may want withdrawn, with the key that opens the commitment which stands for them in an entry. They are
-- found by that commitment and not by a place, so that they can be stored before their entry is: a crash in between
-- leaves words that no entry mentions, never an entry whose words are missing. Withdrawing deletes the row; the entry
-- stays, and says "text withdrawn" from then on.
create table texts (
    log_id     integer not null,
    match_id   uuid    not null,
    commitment bytea   not null check (octet_length(commitment) = 32),
    key        bytea   not null check (octet_length(key) = 32),
    text       text    not null,
    constraint texts_pkey primary key (log_id, match_id, commitment)
);

-- Append-only is a matter of grants. The role that serves may look and add; what the public record is made of it can
-- neither change nor remove. Its one UPDATE grant is what `select ... for update` of the mutex row asks for.
--
-- Roles belong to the whole server, so two databases that are migrated at once may both try; whoever comes second finds
-- it done (unique_violation, or "tuple concurrently updated", which has no code of its own).
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

grant select, insert on logs, entries, tree_heads, submissions to matchbook_serve;
grant select, insert, update on writers to matchbook_serve;
grant select, insert, delete on escrow, texts to matchbook_serve;
