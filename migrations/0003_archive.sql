-- The archive's index. Everything in here is derived from the entries and the texts that still exist; it is keyed by the
-- head that it was derived from, and can be thrown away and built again (matchbook db migrate --reindex).

create table archive (
    log_id     integer     not null,
    match_id   uuid        not null,
    slug       text        not null,
    -- How many entries the row was derived from.
    head       integer     not null,
    game       text        not null,
    ruleset    text        not null,
    event      text,
    -- As it was written.
    date       text,
    p1         text        not null,
    p2         text        not null,
    dmo        text        check (dmo in ('p1', 'p2')),
    mode       text        not null check (mode in ('live', 'recorded', 'imported')),
    umpire     text        not null,
    -- '*' while it runs.
    result     text        not null check (result in ('p1', 'p2', 'undecided', 'void', '*')),
    reason     text        not null,
    rounds     integer     not null,
    chips_p1   integer,
    chips_p2   integer,
    rulings    integer     not null,
    opened_at  timestamptz not null,
    -- What the list is ordered by: the day it was played, for a match of the past that says so, else when it was opened.
    played_at  timestamptz not null,
    changed_at timestamptz not null,
    constraint archive_pkey primary key (log_id, match_id),
    constraint archive_slug_key unique (slug)
);

-- The list is shown newest first, whatever is filtered.
create index archive_newest on archive (log_id, played_at desc, match_id desc);
create index archive_game on archive (log_id, game, played_at desc, match_id desc);
create index archive_ruleset on archive (log_id, ruleset, played_at desc, match_id desc);
create index archive_event on archive (log_id, event, played_at desc, match_id desc);
create index archive_p1 on archive (log_id, lower(p1), played_at desc, match_id desc);
create index archive_p2 on archive (log_id, lower(p2), played_at desc, match_id desc);
create index archive_umpire on archive (log_id, umpire, played_at desc, match_id desc);

-- How far the index has followed the log.
create table archive_cursor (
    log_id integer not null primary key,
    pos    bigint  not null
);

grant select, insert, update, delete on archive, archive_cursor to matchbook_serve;
