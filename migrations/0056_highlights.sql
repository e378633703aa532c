-- What makes a match worth watching, in the lists: its highlights (app/src/views/highlights.rs), and the orders of lists by
-- them. The columns are filled when a match is derived again.

alter table archive
    add column lead_changes integer not null default 0,
    -- The points of the largest swing, and the label of its row. 0 and null if there was none.
    add column swing        integer not null default 0,
    add column swing_row    text,
    -- The largest deficit that the winner overcame.
    add column comeback     integer not null default 0,
    -- From 0 to 1,000 for a tied finish; -1 without a finish, such as while it runs.
    add column closeness    integer not null default -1,
    add column drama        integer not null default 0,
    -- How far seat 1 was ahead, in hundredths of the largest margin, at up to 24 points: a signed byte for each.
    add column course       bytea   not null default '';

-- The orders of lists, each with the newest first among equals. The index of rounds serves the filter by rounds, too.
create index archive_closest on archive (log_id, closeness desc, played_at desc, match_id desc);
create index archive_dramatic on archive (log_id, drama desc, played_at desc, match_id desc);
create index archive_longest on archive (log_id, rounds desc, played_at desc, match_id desc);
drop index archive_rounds;

-- The rules by which the rows were derived, as a number. A program that knows newer rules derives every match again; the
-- program of an older version leaves 0.
alter table archive_cursor add column form integer not null default 0;
