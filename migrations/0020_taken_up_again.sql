-- Matches that were counted and then taken up again: what they added to the statistics is to be taken away until they end
-- anew. Hardly ever more than a few rows, looked for every two seconds.
create index archive_taken_up on archive (log_id, match_id) where counted_head is not null and result = '*';
