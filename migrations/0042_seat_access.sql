-- Who may see and act for a seat.

-- Since rules 2 the first entry of a match says whether its umpire may look. Without this table nobody can turn that on
-- after the moves are in.
drop table sighted;

-- The number by which entries name a link to a seat, from 0. Null for a link that the record does not mention.
alter table player_links add column number integer check (number >= 0);
-- A browser of the link that offered a second key for the seat is entered once.
alter table player_sessions add column refused_at timestamptz;

-- Keys that players registered while a question was open. They enter once its time is over: otherwise they would tell
-- everybody when a seat begins to answer.
create table waiting_keys (
    log_id   integer     not null,
    match_id uuid        not null,
    seat     text        not null check (seat in ('p1', 'p2')),
    key      bytea       not null check (octet_length(key) = 32),
    came_at  timestamptz not null,
    constraint waiting_keys_pkey primary key (log_id, match_id, seat)
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

grant select, insert on waiting_keys to matchbook_serve;
grant select, insert, delete on match_helpers to matchbook_serve;
grant update (refused_at) on player_sessions to matchbook_serve;

-- As before, without what is gone and with what is new.
create or replace function delete_practice(practice uuid) returns void
    language plpgsql security definer
as $$
begin
    if not exists (select from entries where log_id = 2 and match_id = practice)
        or practice = '00000000-0000-0000-0000-000000000000' then
        raise exception 'this is no practice match' using errcode = 'no_data_found';
    end if;
    update entries
    set match_id = '00000000-0000-0000-0000-000000000000', seq = pos, bytes = '',
        submit_id = null, submit_digest = null, submit_len = null
    where log_id = 2 and match_id = practice;
    delete from submissions where log_id = 2 and match_id = practice;
    delete from escrow where log_id = 2 and match_id = practice;
    delete from texts where log_id = 2 and match_id = practice;
    delete from umpire_notes where log_id = 2 and match_id = practice;
    delete from late_inputs where log_id = 2 and match_id = practice;
    delete from ready where log_id = 2 and match_id = practice;
    delete from waiting_keys where log_id = 2 and match_id = practice;
    delete from match_helpers where log_id = 2 and match_id = practice;
    delete from discord_seats where link in
        (select token from player_links where log_id = 2 and match_id = practice);
    delete from player_sessions where link in
        (select token from player_links where log_id = 2 and match_id = practice);
    delete from player_links where log_id = 2 and match_id = practice;
    delete from archive_seats where log_id = 2 and match_id = practice;
    delete from archive where log_id = 2 and match_id = practice;
    update api_answers set answer = '', match_id = null where match_id = practice;
end
$$;

-- Replacing a function keeps its owner and its grants, and not its settings.
do $$
begin
    execute format('alter function delete_practice(uuid) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
