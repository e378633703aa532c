-- The row that decided a match, in the lists (app/src/views/highlights.rs). The columns are filled when a match is derived
-- again: the number in archive_cursor.form is newer.

alter table archive
    -- The label of the row; null if the rules did not end the match with a winner.
    add column decision_row text,
    -- How late it was, from 0 to 1,000 in the last row; -1 without one.
    add column lateness     integer not null default -1;

-- The order of lists by it, with the newest first among equals.
create index archive_late on archive (log_id, lateness desc, played_at desc, match_id desc);
