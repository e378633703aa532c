-- The archive: the index of all matches, for lists, search and players' pages. All of it is derived from entries and
-- from the words that still exist. It can be thrown away and built again (matchbook db migrate --reindex).
--
-- Keys are names in the form used for comparing: without case and accents. The key of a withdrawn name is null.

create table archive (
    log_id        integer     not null,
    match_id      uuid        not null,
    slug          text        not null,
    -- The number of entries from which the row was derived.
    head          integer     not null,
    game          text        not null,
    ruleset       text        not null,
    event         text,
    -- As it was written.
    date          text,
    p1            text        not null,
    p2            text        not null,
    dmo           text        check (dmo in ('p1', 'p2')),
    mode          text        not null check (mode in ('live', 'recorded', 'imported')),
    -- The umpire whose match it is now.
    umpire        text        not null,
    -- '*' while it runs.
    result        text        not null check (result in ('p1', 'p2', 'undecided', 'void', '*')),
    reason        text        not null,
    rounds        integer     not null,
    -- The score that tells a match in a line: chips, boards or hands, by game. Null in games that have none.
    score_p1      integer,
    score_p2      integer,
    rulings       integer     not null,
    opened_at     timestamptz not null,
    -- The order of lists: the day of the match if a match of the past names it, else the time of its opening.
    played_at     timestamptz not null,
    changed_at    timestamptz not null,
    -- Every umpire that the match has or had, by pseudonym.
    umpires       text[]      not null default '{}',
    p1_key        text        collate "C",
    p2_key        text        collate "C",
    event_key     text        collate "C",
    -- Other tags of an imported file, folded like keys, each also by its name alone.
    tags          text[]      not null default '{}',
    -- The result of the last verification, the head on which it was run, and its sentence for the page of checks. A match
    -- of the past that follows the rules is 'imported': nobody saw its play, its time and its seals.
    verdict       text        not null default 'unchecked'
        check (verdict in ('unchecked', 'verified', 'rulings', 'imported', 'pending', 'unknown', 'failed')),
    checked_head  integer,
    -- The head that the statistics count. Null if they do not count the match.
    counted_head  integer,
    checked_words text        not null default '',
    -- Its highlights (app/src/views/highlights.rs).
    lead_changes  integer     not null default 0,
    -- The points of the largest swing, and the label of its row. 0 and null if there was none.
    swing         integer     not null default 0,
    swing_row     text,
    -- The largest deficit that the winner overcame.
    comeback      integer     not null default 0,
    -- From 0 to 1,000 for a tied finish; -1 without a finish, such as while it runs.
    closeness     integer     not null default -1,
    drama         integer     not null default 0,
    -- How far seat 1 was ahead, in hundredths of the largest margin, at up to 24 points: a signed byte for each.
    course        bytea       not null default '',
    -- The label of the row that decided the match; null if the rules did not end it with a winner.
    decision_row  text,
    -- How late that was, from 0 to 1,000 in the last row; -1 without one.
    lateness      integer     not null default -1,
    -- The leaf hash of the last entry on which the last verification was run. The number of entries does not tell them
    -- from others that somebody wrote in their place.
    checked_leaf  bytea       check (octet_length(checked_leaf) = 32),
    constraint archive_pkey primary key (log_id, match_id),
    constraint archive_slug_key unique (slug)
);

-- Whatever is filtered, a list is in order of time, the newest first. So most indexes end with that order.
create index archive_umpire on archive (log_id, umpire, played_at desc, match_id desc);
create index archive_result on archive (log_id, result, played_at desc, match_id desc);
create index archive_reason on archive (log_id, reason, played_at desc, match_id desc);
create index archive_verdict on archive (log_id, verdict, played_at desc, match_id desc);
create index archive_ruled on archive (log_id, played_at desc, match_id desc) where rulings > 0;
create index archive_tags on archive using gin (tags);
-- A feed is in the order of results, not of matches.
create index archive_changed on archive (log_id, changed_at desc, match_id desc) where result <> '*';
-- The matches that are still to be checked, the newest first, and to be counted.
create index archive_unchecked on archive (log_id, played_at desc) where checked_head is distinct from head and result <> '*';
create index archive_uncounted on archive (log_id, match_id) where counted_head is distinct from head and result <> '*';
-- Matches that were counted and then resumed: their share of the statistics is subtracted until they end anew. These
-- are hardly ever more than a few rows, and are looked for every two seconds.
create index archive_taken_up on archive (log_id, match_id) where counted_head is not null and result = '*';
-- The kinds of matches: some dozens, however many matches there are. A search goes from one kind to the next here, and
-- so finds out whether any match can fit without reading one.
create index archive_kinds on archive (log_id, ruleset, reason, result, verdict);
-- A match that was handed over is found by every umpire that it had.
create index archive_umpires on archive using gin (umpires);
-- The most frequent filters are in the index that gives the order: a filter that leaves few of many matches does not
-- read the rows of the others.
create index archive_newest on archive (log_id, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);
create index archive_game on archive (log_id, game, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);
create index archive_ruleset on archive (log_id, ruleset, played_at desc, match_id desc)
    include (reason, result, dmo, rounds, rulings, verdict);
create index archive_event on archive (log_id, event_key, played_at desc, match_id desc)
    include (ruleset, reason, result, dmo, rounds, rulings, verdict);
-- The orders of lists by highlights. The index of rounds serves the filter by rounds, too.
create index archive_closest on archive (log_id, closeness desc, played_at desc, match_id desc);
create index archive_dramatic on archive (log_id, drama desc, played_at desc, match_id desc);
create index archive_longest on archive (log_id, rounds desc, played_at desc, match_id desc);
create index archive_late on archive (log_id, lateness desc, played_at desc, match_id desc);
-- The list of tags is read from the newest matches that have some.
create index archive_tagged on archive (log_id, played_at desc, match_id desc) where tags <> '{}';

-- The position up to which the index has followed the log. Without a row every match is derived again, which `serve`
-- does by itself when it starts.
create table archive_cursor (
    log_id integer not null primary key,
    pos    bigint  not null,
    -- The rules by which the rows were derived, as a number. A program that knows newer rules derives every match again.
    form   integer not null default 0
);

-- A match from the view of each of its players. No row for a name that was withdrawn.
create table archive_seats (
    log_id    integer     not null,
    match_id  uuid        not null,
    seat      text        not null check (seat in ('p1', 'p2')),
    key       text        collate "C" not null,
    -- As it was written in this match.
    name      text        not null,
    -- The opponent's key. Null if that name was withdrawn.
    other     text        collate "C",
    -- Null if the match has no DMO.
    dmo       boolean,
    ruleset   text        not null,
    event_key text        collate "C",
    -- '*' while it runs.
    standing  text        not null check (standing in ('won', 'lost', 'undecided', 'void', '*')),
    played_at timestamptz not null,
    -- Every answer of the seat in order, for the habits of its player. One text, because they are only read all together,
    -- of a hundred matches at a time: as rows or lists they cost more to send and to take apart than to find.
    --
    -- A line for each, with tabs between the question, the kind of move, the row of the score sheet, and the signs < = >
    -- for behind, level and ahead (- in a game without a score) and x for a part that the opponent blocked. Empty until
    -- the statistics have counted the match.
    moves     text        collate "C" not null default '',
    constraint archive_seats_pkey primary key (log_id, match_id, seat)
);

create index archive_seats_other on archive_seats (log_id, key, other, played_at desc, match_id desc);
create index archive_seats_event on archive_seats (log_id, event_key, key);
-- Everything that a player's page adds up.
create index archive_seats_key on archive_seats (log_id, key, played_at desc, match_id desc)
    include (name, seat, dmo, ruleset, standing);

-- The registered players who vouched for the seats of a match, as far as that was not withdrawn. Derived from the match's
-- entries and words, and written together with its row in the archive.
create table vouched_seats (
    log_id    integer     not null,
    match_id  uuid        not null,
    seat      text        not null check (seat in ('p1', 'p2')),
    player    uuid        not null,
    played_at timestamptz not null,
    constraint vouched_seats_pkey primary key (log_id, match_id, seat)
);

create index vouched_seats_player on vouched_seats (log_id, player, played_at desc, match_id desc);

-- The words of a match: names, event, tags, source, rulings and remarks, folded by the program and without a
-- dictionary. They change seldom, and the match's row in `archive` with every move. So a search reads small rows
-- alone.
--
-- People type the beginning of a word, and for a beginning PostgreSQL would collect all matches of all words that have
-- it. So each beginning, up to the twelfth letter, is a word of its own here.
create table archive_words (
    log_id    integer     not null,
    match_id  uuid        not null,
    -- As in archive: the order of lists.
    played_at timestamptz not null,
    words     tsvector    not null,
    constraint archive_words_pkey primary key (log_id, match_id),
    constraint archive_words_match foreign key (log_id, match_id) references archive (log_id, match_id) on delete cascade
);

create index archive_words_found on archive_words using gin (words);
create index archive_words_newest on archive_words (log_id, played_at desc, match_id desc);

-- Names that an umpire joined, because one player wrote both. It is beside the record: an entry keeps the name that was
-- written, and parting the names again leaves no trace. Names are in the form used for comparing.
--
-- While they are joined, the rows of the archive have the player's key in the place of the alias. A name that is withdrawn
-- leaves this table, too.
create table aliases (
    log_id     integer     not null,
    -- The name that is not a player of its own while it is here.
    key        text        collate "C" not null,
    -- The player: never an alias itself.
    player_key text        collate "C" not null,
    umpire_id  text        not null references umpires (id),
    at         timestamptz not null default now(),
    constraint aliases_pkey primary key (log_id, key),
    constraint aliases_other check (key <> player_key)
);

create index aliases_player on aliases (log_id, player_key, key);

-- By whom, when and why names were joined or parted. A name that is withdrawn leaves this table, too: so no event of
-- accounts has it.
create table alias_acts (
    id         bigint      not null primary key generated always as identity,
    log_id     integer     not null,
    key        text        collate "C" not null,
    player_key text        collate "C" not null,
    joins      boolean     not null,
    umpire_id  text        not null references umpires (id),
    at         timestamptz not null,
    reason     text        not null
);

create index alias_acts_key on alias_acts (log_id, key);
create index alias_acts_player on alias_acts (log_id, player_key);

-- The number of changes to everything that lists show, as the sum of all rows. A page that was made at the same sum is
-- still right: every change to a list is in one transaction with its addition to the sum, so nobody sees one without
-- the other.
--
-- There are many rows so that transactions seldom wait for each other: each connection adds to one of them.
create table archive_version (
    slot smallint not null primary key check (slot between 0 and 63),
    n    bigint   not null
) with (fillfactor = 10);

insert into archive_version (slot, n) select slot, 0 from generate_series(0, 63) as slot;

create function archive_changed() returns trigger language plpgsql as $$
begin
    update archive_version set n = n + 1 where slot = pg_backend_pid() % 64;
    return null;
end $$;

-- Rows of seats, moves and counts never change without the match's row in the archive.
create trigger archive_changed after insert or update or delete or truncate on archive
    for each statement execute function archive_changed();
-- The first page announces matches.
create trigger planned_changed after insert or update or delete or truncate on planned
    for each statement execute function archive_changed();
-- Lists show umpires by their public names, and suggest them.
create trigger umpires_named after update of public_name on umpires
    for each statement execute function archive_changed();

grant select, insert, update, delete on archive, archive_cursor, archive_seats, archive_words, vouched_seats, aliases
    to matchbook_serve;
grant select, insert, delete on alias_acts to matchbook_serve;
grant select, update on archive_version to matchbook_serve;
