-- Browsing, searching and counting. Everything in here is derived, but for `withdrawals`.

-- What was derived before lacks what follows, and is derived again: `serve` does so by itself when it starts.
delete from archive;
delete from archive_cursor;

-- Keys are names as they are compared: without case and accents. They are null where the name was withdrawn.
alter table archive
    add column p1_key       text collate "C",
    add column p2_key       text collate "C",
    add column event_key    text collate "C",
    -- Other tags of an imported file, each folded like a key.
    add column tags         text[]   not null default '{}',
    -- The words of names, event, tags, source, rulings and remarks, folded by this program and without a dictionary.
    add column words        tsvector not null default '',
    -- What the verification found when it was run last, and the head that it was run on.
    add column verdict      text     not null default 'unchecked'
        check (verdict in ('unchecked', 'verified', 'rulings', 'pending', 'unknown', 'failed')),
    add column checked_head integer,
    -- The head that the statistics count; null where they do not count the match.
    add column counted_head integer;

drop index archive_event, archive_p1, archive_p2;
create index archive_event on archive (log_id, event_key, played_at desc, match_id desc);
create index archive_result on archive (log_id, result, played_at desc, match_id desc);
create index archive_reason on archive (log_id, reason, played_at desc, match_id desc);
create index archive_verdict on archive (log_id, verdict, played_at desc, match_id desc);
create index archive_rounds on archive (log_id, rounds, played_at desc, match_id desc);
create index archive_ruled on archive (log_id, played_at desc, match_id desc) where rulings > 0;
create index archive_words on archive using gin (words);
create index archive_tags on archive using gin (tags);
-- A feed is ordered by when a result came, and not by when the match was played.
create index archive_changed on archive (log_id, changed_at desc, match_id desc) where result <> '*';
-- What still has to be checked and counted, newest first.
create index archive_unchecked on archive (log_id, played_at desc) where checked_head is distinct from head and result <> '*';
create index archive_uncounted on archive (log_id, match_id) where counted_head is distinct from head and result <> '*';

-- A match as each of its players looks at it. No row for a name that was withdrawn.
create table archive_seats (
    log_id    integer     not null,
    match_id  uuid        not null,
    seat      text        not null check (seat in ('p1', 'p2')),
    key       text        collate "C" not null,
    -- As it was written in this match.
    name      text        not null,
    -- The opponent's key; null where that name was withdrawn.
    other     text        collate "C",
    -- Null where the match has no DMO.
    dmo       boolean,
    ruleset   text        not null,
    event_key text        collate "C",
    -- '*' while it runs.
    standing  text        not null check (standing in ('won', 'lost', 'undecided', 'void', '*')),
    played_at timestamptz not null,
    constraint archive_seats_pkey primary key (log_id, match_id, seat)
);

create index archive_seats_key on archive_seats (log_id, key, played_at desc, match_id desc);
create index archive_seats_other on archive_seats (log_id, key, other, played_at desc, match_id desc);
create index archive_seats_event on archive_seats (log_id, event_key, key);

-- How often each kind of move was sent, by ruleset, question, seat, round, and how the seat stood then.
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

-- What was played in a situation, and what came of it. A situation is the first half of a SHA-256: over nothing for any
-- situation at all, over the moves before it, or over the whole state.
create table pair_counts (
    log_id    integer not null,
    ruleset   text    not null,
    what      text    not null,
    situation bytea   not null check (octet_length(situation) = 16),
    p1        text    collate "C" not null,
    p2        text    collate "C" not null,
    n         bigint  not null,
    -- Matches in which it was played that p1 won in the end, and p2.
    won_p1    bigint  not null,
    won_p2    bigint  not null,
    -- What the step changed in each seat's score, in all.
    gain_p1   bigint  not null,
    gain_p2   bigint  not null,
    constraint pair_counts_pkey primary key (log_id, ruleset, situation, what, p1, p2)
);

-- The kinds of moves that a seat sent in a match, for the habits of its player.
create table match_moves (
    log_id   integer not null,
    match_id uuid    not null,
    seat     text    not null check (seat in ('p1', 'p2')),
    what     text    not null,
    sent     text    collate "C" not null,
    n        integer not null,
    constraint match_moves_pkey primary key (log_id, match_id, seat, what, sent)
);

-- Who withdrew which words of a match, and when; never the words. Nodes forget what they keep of such a match.
create table withdrawals (
    id        uuid        not null primary key,
    log_id    integer     not null,
    match_id  uuid        not null,
    -- Where the words stood: the entry, and the field in it, such as 'p1' or 'text'.
    seq       integer     not null,
    field     text        not null,
    umpire_id text        not null references umpires (id),
    at        timestamptz not null default now()
);

create index withdrawals_at on withdrawals (at);

grant select, insert, update, delete on archive_seats, move_counts, pair_counts, match_moves to matchbook_serve;
grant select, insert on withdrawals to matchbook_serve;
