-- Which matches a count of the statistics rests on. Derived like the counts, and written in the same transaction.
create table counted_matches (
    log_id    integer     not null,
    match_id  uuid        not null,
    -- What it was counted for: the first half of a SHA-256 over a ruleset and a kind of move, or a pair in a situation.
    counted   bytea       not null check (octet_length(counted) = 16),
    -- As in archive: what lists are ordered by.
    played_at timestamptz not null,
    -- The first row of its score sheet where that was, such as `7b`.
    label     text        not null,
    -- In how many of its steps.
    n         integer     not null check (n > 0),
    constraint counted_matches_pkey primary key (log_id, match_id, counted)
);

create index counted_matches_newest on counted_matches (log_id, counted, played_at, match_id);

grant select, insert, update, delete on counted_matches to matchbook_serve;

-- What was counted before names no matches, and is counted again: `serve` does so by itself.
delete from move_counts;
delete from pair_counts;
delete from ending_counts;
delete from match_moves;
update archive set counted_head = null where counted_head is not null;

-- The name under which an umpire wants to be known, if any. The record knows the pseudonym alone, so that the name can go
-- again. Its key is the name as it is compared; nobody else can have it.
alter table umpires
    add column public_name text check (public_name <> ''),
    add column public_key  text collate "C" unique,
    add constraint umpires_public_whole check (num_nulls(public_name, public_key) in (0, 2));

grant update (public_name, public_key) on umpires to matchbook_serve;

-- Lists say and suggest it.
create trigger umpires_named after update of public_name on umpires
    for each statement execute function archive_changed();
