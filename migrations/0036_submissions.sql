-- Everything of a match that is not public yet, may be withdrawn, or is for its umpires alone. None of it is part of
-- the record.

-- A seat's submissions for a decision before it closes: the commitments in field order, 32 bytes each, and nothing
-- that opens them. The last one counts. The close of the decision inserts a row without commitments as each seat's
-- next ordinal, and only rows below it count. So a submission and a close that race for one ordinal cannot both win.
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
    -- The sender, in the words of entries (p1, p2 or umpire:...): an umpire may type for a seat. Nobody sends a close.
    sent_by       text,
    -- Where the seat has a key: its signature over the submission, and the last checkpoint that the player had
    -- verified.
    signature     bytea       check (octet_length(signature) = 64),
    seen_size     bigint      check (seen_size >= 0),
    seen_root     bytea       check (octet_length(seen_root) = 32),
    constraint submissions_pkey primary key (log_id, match_id, decision, seat, ordinal),
    constraint submissions_submit_whole check (num_nulls(submit_id, submit_digest) in (0, 2)),
    constraint submissions_signed_whole check (num_nulls(signature, seen_size, seen_root) in (0, 3))
);

create unique index submissions_submit_key on submissions (log_id, submit_id) where submit_id is not null;

-- The openings of a submission while the server holds them, encrypted under a key that is not in the database. A row
-- may be deleted once everything in it is public.
create table escrow (
    log_id     integer  not null,
    match_id   uuid     not null,
    decision   text     not null,
    seat       text     not null,
    ordinal    smallint not null,
    ciphertext bytea    not null,
    constraint escrow_pkey primary key (log_id, match_id, decision, seat, ordinal)
);

-- Input that a player sent elsewhere, after the deadline. It counts only if a ruling admits it; then it becomes a
-- submission like any other, with `form` as its id. It is encrypted under a key that is not in the database, because
-- the decision may still be open.
create table late_inputs (
    log_id     integer     not null,
    match_id   uuid        not null,
    decision   text        not null,
    seat       text        not null check (seat in ('p1', 'p2')),
    form       bytea       not null check (octet_length(form) = 16),
    sent_at    timestamptz not null,
    typed_at   timestamptz not null,
    typed_by   text        not null,
    ciphertext bytea       not null,
    constraint late_inputs_pkey primary key (log_id, match_id, decision, seat, form)
);

-- The seats that said that they are ready to begin.
create table ready (
    log_id   integer     not null,
    match_id uuid        not null,
    seat     text        not null check (seat in ('p1', 'p2')),
    at       timestamptz not null,
    constraint ready_pkey primary key (log_id, match_id, seat)
);

-- Matches whose umpire may read submissions before a decision closes; in all others nobody can. It is chosen when the
-- match is opened, and the players' pages say it.
create table sighted (
    log_id   integer not null,
    match_id uuid    not null,
    constraint sighted_pkey primary key (log_id, match_id)
);

-- Words that people may want withdrawn, each with the key that opens the commitment in its entry. They are found by
-- that commitment, and stored in the same statement as the entry, so that no crash leaves one without the other.
-- Withdrawing deletes the row; the entry stays, and says "text withdrawn" from then on.
create table texts (
    log_id     integer not null,
    match_id   uuid    not null,
    commitment bytea   not null check (octet_length(commitment) = 32),
    key        bytea   not null check (octet_length(key) = 32),
    text       text    not null,
    constraint texts_pkey primary key (log_id, match_id, commitment)
);

-- Who withdrew which words of a match, and when; never the words. Other nodes read here which matches they must
-- forget.
create table withdrawals (
    id        uuid        not null primary key,
    log_id    integer     not null,
    match_id  uuid        not null,
    -- The place of the words: the entry, and the field in it, such as 'p1' or 'text'.
    seq       integer     not null,
    field     text        not null,
    umpire_id text        not null references umpires (id),
    at        timestamptz not null default now()
);

create index withdrawals_at on withdrawals (at);

-- Notes for the umpires of a match alone. The id of its form is the key, so that a form sent twice adds one note.
create table umpire_notes (
    log_id   integer     not null,
    match_id uuid        not null,
    form     bytea       not null check (octet_length(form) = 16),
    umpire   text        not null references umpires (id),
    at       timestamptz not null,
    text     text        not null check (text <> ''),
    constraint umpire_notes_pkey primary key (log_id, match_id, form)
);

-- Matches that are announced. They are outside the log until they are opened. `fields` holds the filled-in form. A
-- plan that was opened or dropped has no names any more: withdrawing a name does not look here.
create table planned (
    form      bytea       not null primary key check (octet_length(form) = 16),
    log_id    integer     not null,
    umpire    text        not null references umpires (id),
    starts_at timestamptz not null,
    ruleset   text        not null,
    p1        text        not null,
    p2        text        not null,
    event     text        not null,
    fields    text        not null,
    match_id  uuid,
    dropped   boolean     not null default false
);

create index planned_next on planned (log_id, starts_at) where match_id is null and not dropped;

grant select, insert on submissions, late_inputs, ready, sighted, withdrawals, umpire_notes to matchbook_serve;
grant select, insert, delete on escrow, texts to matchbook_serve;
grant select, insert, update on planned to matchbook_serve;
