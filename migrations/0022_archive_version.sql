-- How often what the lists show has changed. A page that was made when the sum was the same is the page of now: whatever
-- changes a list does so in the transaction that adds to the sum, so that nobody sees the one without the other.
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

grant select, update on archive_version to matchbook_serve;

-- A match that was handed over is found by every umpire that it had. Rows from before that was kept had one.
update archive set umpires = array[umpire] where umpires = '{}';
create index archive_umpires on archive using gin (umpires);

-- What the check of `checked_head` found, in a sentence: its page shows it without checking again. Empty where that was not
-- kept yet.
alter table archive add column checked_words text not null default '';
