-- The statistics of finished matches. All of it is derived, and is counted again if it is deleted and counted_head is
-- set to null in `archive`: `serve` does so by itself.

-- How often each kind of move was sent, by ruleset, question, seat, round, and the seat's standing at that time.
create table move_counts (
    log_id   integer not null,
    ruleset  text    not null,
    what     text    not null,
    seat     text    not null check (seat in ('p1', 'p2')),
    sent     text    collate "C" not null,
    round    integer not null,
    -- -1 behind, 0 level (or nothing is counted), 1 ahead.
    standing smallint not null check (standing between -1 and 1),
    n        bigint  not null,
    constraint move_counts_pkey primary key (log_id, ruleset, what, seat, sent, round, standing)
);

-- The pairs of moves that were played in a situation, and their outcomes. A situation is the first half of a SHA-256:
-- over nothing for any situation at all, over five rounds, over which seat is ahead, over the moves before it, or over
-- the whole state.
create table pair_counts (
    log_id    integer not null,
    ruleset   text    not null,
    what      text    not null,
    situation bytea   not null check (octet_length(situation) = 16),
    p1        text    collate "C" not null,
    p2        text    collate "C" not null,
    n         bigint  not null,
    -- The number of its matches that p1 won in the end, and p2.
    won_p1    bigint  not null,
    won_p2    bigint  not null,
    -- The sum of the step's changes to each seat's score.
    gain_p1   bigint  not null,
    gain_p2   bigint  not null,
    constraint pair_counts_pkey primary key (log_id, ruleset, situation, what, p1, p2)
);

-- How matches of a ruleset ended.
create table ending_counts (
    log_id  integer not null,
    ruleset text    not null,
    -- As in archive; the seat of the DMO, or '' if there is none.
    result  text    not null check (result in ('p1', 'p2', 'undecided')),
    dmo     text    not null check (dmo in ('p1', 'p2', '')),
    reason  text    not null,
    rounds  integer not null,
    n       bigint  not null,
    constraint ending_counts_pkey primary key (log_id, ruleset, result, dmo, reason, rounds)
);

-- What became of each kind of action, such as a Steal or a prediction: the number of times with each fate, in the words of
-- the engine, such as 'blocked'.
create table fate_counts (
    log_id  integer not null,
    ruleset text    not null,
    subject text    collate "C" not null,
    fate    text    collate "C" not null,
    n       bigint  not null,
    constraint fate_counts_pkey primary key (log_id, ruleset, subject, fate)
);

-- The matches behind each count. Written in the same transaction as the counts.
create table counted_matches (
    log_id    integer     not null,
    match_id  uuid        not null,
    -- The count: the first half of a SHA-256 over a ruleset and a kind of move, or a pair in a situation.
    counted   bytea       not null check (octet_length(counted) = 16),
    -- As in archive: the order of lists.
    played_at timestamptz not null,
    -- The first row of the score sheet where it happened, such as `7b`.
    label     text        not null,
    -- The number of the match's steps in which it happened.
    n         integer     not null check (n > 0),
    constraint counted_matches_pkey primary key (log_id, match_id, counted)
);

create index counted_matches_newest on counted_matches (log_id, counted, played_at, match_id);

grant select, insert, update, delete on move_counts, pair_counts, ending_counts, fate_counts, counted_matches
    to matchbook_serve;
