-- Lists and players' pages are read from indexes alone, and one search reads small rows alone.

-- What a filter asks for most often stands in the index that leads through the list, so that a filter which leaves few of
-- many does not read the rows of those that it leaves out.
drop index archive_newest, archive_game, archive_ruleset, archive_event;
create index archive_newest on archive (log_id, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);
create index archive_game on archive (log_id, game, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);
create index archive_ruleset on archive (log_id, ruleset, played_at desc, match_id desc)
    include (reason, result, dmo, rounds, rulings, verdict);
create index archive_event on archive (log_id, event_key, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);

-- All that a player's page adds up.
drop index archive_seats_key;
create index archive_seats_key on archive_seats (log_id, key, played_at desc, match_id desc)
    include (name, seat, dmo, ruleset, standing);

-- The words of a match. They change seldom, and its row in `archive` with every move.
--
-- What people type is the beginning of a word, and PostgreSQL looks for a beginning by collecting all matches of all words
-- that have it. So up to the twelfth letter each beginning is a word of its own here, and is looked up as it is.
drop index archive_words;
create table archive_words (
    log_id    integer     not null,
    match_id  uuid        not null,
    -- As in archive: what lists are ordered by.
    played_at timestamptz not null,
    words     tsvector    not null,
    constraint archive_words_pkey primary key (log_id, match_id),
    constraint archive_words_match foreign key (log_id, match_id) references archive (log_id, match_id) on delete cascade
);

-- A tsvector has a megabyte at most, which 2,000 of the longest words with their beginnings do not fill. A match of more
-- is found by all its words once it is derived again.
insert into archive_words (log_id, match_id, played_at, words)
select log_id, match_id, played_at, array_to_tsvector(array(
    select distinct left(word, letters)
    from unnest((tsvector_to_array(words))[:2000]) as word, generate_series(1, 13) as at,
        lateral (select case when at = 13 then length(word) else least(at, length(word)) end as letters) as beginning
)) from archive;

create index archive_words_found on archive_words using gin (words);
create index archive_words_newest on archive_words (log_id, played_at desc, match_id desc);
grant select, insert, update, delete on archive_words to matchbook_serve;

alter table archive drop column words;

-- The kinds of moves that a seat sent in a match, for the habits of its player: all of them in one row, as they are read.
alter table match_moves rename to match_moves_before;
alter table match_moves_before rename constraint match_moves_pkey to match_moves_before_pkey;
create table match_moves (
    log_id   integer   not null,
    match_id uuid      not null,
    seat     text      not null check (seat in ('p1', 'p2')),
    -- Questions, the kinds of moves in answer, and how often each was sent: three lists of one length.
    what     text[]    not null,
    sent     text[]    not null,
    n        integer[] not null,
    constraint match_moves_pkey primary key (log_id, match_id, seat),
    constraint match_moves_whole check (cardinality(what) = cardinality(sent) and cardinality(what) = cardinality(n))
);
insert into match_moves (log_id, match_id, seat, what, sent, n)
select log_id, match_id, seat, array_agg(what order by what, sent), array_agg(sent order by what, sent),
    array_agg(n order by what, sent)
from match_moves_before group by log_id, match_id, seat;
drop table match_moves_before;
grant select, insert, update, delete on match_moves to matchbook_serve;
