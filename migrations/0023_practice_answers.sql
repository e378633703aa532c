-- Programs have practice as well: what was answered to them about a practice match goes with it.

-- The practice match that a request was about; null for everything else.
alter table api_answers add column match_id uuid;

create index api_answers_match on api_answers (match_id) where match_id is not null;

-- As before, and the answers: of each stays that there was one, so that the request does nothing when it is sent again.
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
    delete from sighted where log_id = 2 and match_id = practice;
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

-- Replacing it took the names' schema away again: migration 0017 says what it is for.
do $$
begin
    execute format('alter function delete_practice(uuid) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
