-- Strangers make failed sign-ins, so these are few in an hour, and old ones go. All other events stay, as a matter of grants.

create index account_events_failed on account_events (coalesce(umpire_id, ''), at) where kind = 'sign-in-failed';

-- Whom the umpire of a match named, by the match's short name.
create index account_events_named on account_events (note)
    where kind in ('helper-named', 'helper-dismissed', 'commentator-named', 'commentator-dismissed');

-- Deletes failed sign-ins that are 90 days older than the newest event. The caller chooses no time: no right of the role
-- that serves reaches an event that is less than 90 days old.
create function prune_sign_in_failures() returns void
    language sql security definer
as $$
    delete from account_events where kind = 'sign-in-failed' and at < interval '-90 days'
        + least(now(), (select newest.at from account_events as newest order by newest.id desc limit 1))
$$;

-- It runs with its owner's rights. So its names must mean the tables of this schema.
do $$
begin
    execute format('alter function prune_sign_in_failures() set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;

revoke execute on function prune_sign_in_failures() from public;
grant execute on function prune_sign_in_failures() to matchbook_serve;

-- No program makes sign-in links any more. Those that one has just made open nothing.
delete from sign_in_links using account_events as made
where made.umpire_id = sign_in_links.umpire_id and made.kind = 'link-made' and made.channel = 'api'
    and sign_in_links.used_at is null and sign_in_links.expires_at = made.at + interval '24 hours';
