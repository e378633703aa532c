-- Matches that are known by their result alone, and links to recordings. Both are beside the log: nobody sealed or signed
-- them, so nothing here is an entry, and no check reads it. They are what a person said, and the tables say who and when.

-- The row of such a match in the lists is derived from here, as others are from entries.
alter table archive
    drop constraint archive_mode_check,
    add constraint archive_mode_check check (mode in ('live', 'recorded', 'imported', 'result')),
    drop constraint archive_verdict_check,
    add constraint archive_verdict_check check (verdict in
        ('unchecked', 'verified', 'rulings', 'imported', 'pending', 'unknown', 'failed', 'result'));

create table known_results (
    log_id     integer     not null,
    -- As of a match in the log, so that the addresses are alike. No entry has it.
    match_id   uuid        not null,
    -- How often it was written.
    version    integer     not null default 1,
    -- The id of a ruleset, or the name of any other game in words.
    ruleset    text        not null,
    -- Null if the name was withdrawn.
    p1         text,
    p2         text,
    result     text        not null check (result in ('p1', 'p2', 'undecided', 'void')),
    score_p1   integer,
    score_p2   integer,
    -- A day, a month or a year, as it was written. Null if nobody knows.
    date       text,
    event      text,
    umpire     text        not null references umpires (id),
    told_at    timestamptz not null,
    changed_at timestamptz not null,
    is_removed boolean     not null default false,
    constraint known_results_pkey primary key (log_id, match_id),
    -- Of what is removed, no word stays.
    constraint known_results_removed check (
        not is_removed or (ruleset = '' and coalesce(p1, p2, event, date) is null)
    )
);

-- Who told, corrected or removed one, and when. Of a correction it has the fields' names and not what they said, so that a
-- name that is withdrawn is not here.
create table known_result_acts (
    id       bigint      not null primary key generated always as identity,
    log_id   integer     not null,
    match_id uuid        not null,
    act      text        not null check (act in ('told', 'corrected', 'removed', 'withdrawn')),
    fields   text[]      not null default '{}',
    umpire   text        not null references umpires (id),
    at       timestamptz not null,
    reason   text        not null default ''
);

create index known_result_acts_match on known_result_acts (log_id, match_id, id);

-- Links to recordings of a match, of any kind of match. As with comments, a link that is withdrawn leaves who and when.
create table recordings (
    log_id       integer     not null,
    match_id     uuid        not null,
    -- The id of its form.
    id           uuid        not null,
    -- The label of a row of the score sheet, and where the recording has it. Null for the whole match.
    label        text,
    seconds      integer     check (seconds >= 0),
    address      text        not null,
    umpire       text        not null references umpires (id),
    at           timestamptz not null,
    withdrawn_by text        references umpires (id),
    withdrawn_at timestamptz,
    -- The last change by the database's clock, from which other nodes learn of it.
    changed_at   timestamptz not null default now(),
    constraint recordings_pkey primary key (log_id, match_id, id),
    constraint recordings_withdrawn check (
        case when withdrawn_at is null then withdrawn_by is null and address <> ''
             else withdrawn_by is not null and address = '' end
    )
);

create index recordings_changed on recordings (changed_at);

-- Lists say which matches have one.
create trigger recordings_changed after insert or update or delete or truncate on recordings
    for each statement execute function archive_changed();

-- Who told it and when is written once; a reason that names somebody is withdrawn.
grant select, insert on known_results, known_result_acts, recordings to matchbook_serve;
grant update (version, ruleset, p1, p2, result, score_p1, score_p2, date, event, changed_at, is_removed) on known_results
    to matchbook_serve;
grant update (reason) on known_result_acts to matchbook_serve;
grant update (address, withdrawn_by, withdrawn_at, changed_at) on recordings to matchbook_serve;
