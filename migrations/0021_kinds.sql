-- Which kinds of matches there are: some dozens, however many matches. Whether a filter can fit at all is found by going
-- from one kind to the next in this index, without reading the matches of any.
create index archive_kinds on archive (log_id, ruleset, reason, result, verdict);
