-- Practice matches are in a log of their own (log_id 2), which nobody signs, and from which a match can be deleted
-- whole.
--
-- Append-only stays a matter of grants. The role that serves can neither change nor remove an entry of any log. It may
-- call this one function, which names the log of practice in every statement: no argument leads it to a row of the
-- record.

-- Deletes a practice match with everything that belongs to it.
--
-- The leaf hashes of its entries stay, without match, words and bytes. So the tree of practice keeps its shape, and a
-- node that has not looked for a while does not append at a place that is taken. They are under the nil id, each with
-- its own position as its number.
--
-- Each answer to a program keeps its row, without the answer: the same request sent again does nothing.
create function delete_practice(practice uuid) returns void
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

-- It runs with its owner's rights. So its names must mean the tables of this schema, and never a temporary table that
-- the caller made.
do $$
begin
    execute format('alter function delete_practice(uuid) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;

revoke execute on function delete_practice(uuid) from public;
grant execute on function delete_practice(uuid) to matchbook_serve;
