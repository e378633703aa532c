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
    -- The seat called it final. In a match that says so, a question to both seats closes as soon as the last row of each
    -- is final. Null where it is not.
    is_final      boolean     check (is_final),
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

-- A number that tells the escrow key from others and says nothing about it, as log_keys does for the key of checkpoints.
-- A start with another key is refused: it could not open what is encrypted here. Made at the first start; only the owner
-- changes it, when the key is lost for good.
create table escrow_keys (
    log_id     integer     not null primary key,
    key_check  bytea       not null check (octet_length(key_check) = 32),
    created_at timestamptz not null
);

-- Acknowledged submissions that the database had lost, and that came back from a node's journal. Everybody sees them once
-- their decision is closed. Never changed or removed.
create table restored_submissions (
    log_id   integer     not null,
    match_id uuid        not null,
    decision text        not null,
    seat     text        not null,
    ordinal  smallint    not null,
    at       timestamptz not null,
    constraint restored_submissions_pkey primary key (log_id, match_id, decision, seat, ordinal, at)
);

-- Acknowledged submissions that a node's journal has, and neither the database nor the record: the database lost them, and
-- their questions closed before the journal was compared. Everybody sees them. Never changed or removed.
create table missing_submissions (
    log_id   integer     not null,
    match_id uuid        not null,
    decision text        not null,
    seat     text        not null,
    ordinal  smallint    not null,
    came     timestamptz not null,
    at       timestamptz not null,
    constraint missing_submissions_pkey primary key (log_id, match_id, decision, seat, ordinal, came)
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
    -- The umpire leaves it out. Private: it only ends the notices of it.
    left_at    timestamptz,
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

-- Keys that players registered while a question was open. They enter once its time is over: otherwise they would tell
-- everybody when a seat begins to answer. A seat's key binds with the first answer that enters, so several browsers may
-- offer one until then.
create table waiting_keys (
    log_id   integer     not null,
    match_id uuid        not null,
    seat     text        not null check (seat in ('p1', 'p2')),
    key      bytea       not null check (octet_length(key) = 32),
    came_at  timestamptz not null,
    -- The vouching of a registered player that came with the key: '<player> <signature>'. Null where nobody vouched. It
    -- tells who plays, so it is erased with the words of the key's entry.
    vouching text        check (vouching <> ''),
    -- The number of the link by which it came, as entries name it: a key of a newer link ends those of older ones.
    link     integer     check (link >= 0),
    constraint waiting_keys_pkey primary key (log_id, match_id, seat, key)
);

-- The umpires whom a match's umpire names as helpers: they may do there what its umpire may.
create table match_helpers (
    log_id   integer     not null,
    match_id uuid        not null,
    umpire   text        not null references umpires (id),
    named_by text        not null references umpires (id),
    named_at timestamptz not null,
    constraint match_helpers_pkey primary key (log_id, match_id, umpire)
);

-- The umpires whom a match's umpire lets write comments there, and nothing else. They have a table of their own: an older
-- program that serves beside this one would take a new kind of row among the helpers for a helper.
create table match_commentators (
    log_id   integer     not null,
    match_id uuid        not null,
    umpire   text        not null references umpires (id),
    named_by text        not null references umpires (id),
    named_at timestamptz not null,
    constraint match_commentators_pkey primary key (log_id, match_id, umpire)
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

-- Comments on moments of a match, by its umpires and commentators. No entry, bundle or file for checking has them.
create table comments (
    log_id       integer     not null,
    match_id     uuid        not null,
    -- The id of its form.
    id           uuid        not null,
    -- The step, and the entry that made it one: a step that was corrected is another one, with comments of its own.
    step         integer     not null check (step > 0),
    entry        integer     not null,
    -- The state before the step, what was chosen, or the state after it.
    side         text        not null check (side in ('before', 'choices', 'after')),
    umpire       text        not null references umpires (id),
    at           timestamptz not null,
    text         text        not null,
    withdrawn_by text        references umpires (id),
    withdrawn_at timestamptz,
    -- The last change by the database's clock, from which other nodes learn of it.
    changed_at   timestamptz not null default now(),
    constraint comments_pkey primary key (log_id, match_id, id),
    -- What is withdrawn is not here any more.
    constraint comments_withdrawn check (
        case when withdrawn_at is null then withdrawn_by is null and char_length(text) between 1 and 500
             else withdrawn_by is not null and text = '' end
    )
);

create index comments_changed on comments (changed_at);

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

grant select, insert on submissions, late_inputs, ready, withdrawals, umpire_notes, escrow_keys to matchbook_serve;
grant select, insert on restored_submissions, missing_submissions, waiting_keys, comments to matchbook_serve;
grant select, insert, delete on escrow, texts, match_helpers, match_commentators to matchbook_serve;
grant select, insert, update on planned to matchbook_serve;
grant update (left_at) on late_inputs to matchbook_serve;
grant update (vouching, came_at, link) on waiting_keys to matchbook_serve;
-- A withdrawn name leaves the notes of umpires, too.
grant update (text) on umpire_notes to matchbook_serve;
grant update (text, withdrawn_by, withdrawn_at, changed_at) on comments to matchbook_serve;
