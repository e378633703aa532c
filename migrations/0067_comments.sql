-- Comments on moments of a match, by its umpires and by those whom they name as commentators. They are beside the record:
-- no entry, bundle or file for checking has them.

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

grant select, insert, delete on match_commentators to matchbook_serve;
grant select, insert on comments to matchbook_serve;
grant update (text, withdrawn_by, withdrawn_at, changed_at) on comments to matchbook_serve;

-- As before, with what is new.
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
    delete from comments where log_id = 2 and match_id = practice;
    delete from late_inputs where log_id = 2 and match_id = practice;
    delete from ready where log_id = 2 and match_id = practice;
    delete from waiting_keys where log_id = 2 and match_id = practice;
    delete from match_helpers where log_id = 2 and match_id = practice;
    delete from match_commentators where log_id = 2 and match_id = practice;
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
