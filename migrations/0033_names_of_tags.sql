-- A tag is found by its name alone, too: every name stands beside its tags.
update archive set tags = (
    select array_agg(distinct folded order by folded)
    from unnest(tags) as tag, unnest(array[tag, split_part(tag, ' ', 1)]) as folded
)
where tags <> '{}';

-- Which tags there are is read from the newest matches that have some.
create index archive_tagged on archive (log_id, played_at desc, match_id desc) where tags <> '{}';
