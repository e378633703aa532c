-- What the host of an event tells of it: cast, evenings, winner, and a plan. It is beside the log, as known results are: no
-- entry has it and no check reads it. Every version stays, with who and when; the newest one is shown.
create table event_sheets (
    log_id    integer     not null,
    -- The event's name as it is compared.
    event_key text        not null,
    version   integer     not null check (version > 0),
    -- The event's name as it was written.
    event     text        not null,
    -- The parts that differ from the version before.
    changes   text[]      not null,
    sheet     jsonb       not null check (octet_length(sheet::text) <= 200000),
    umpire    text        not null references umpires (id),
    at        timestamptz not null,
    constraint event_sheets_pkey primary key (log_id, event_key, version)
);

-- Pages of events say what is told and planned.
create trigger event_sheets_changed after insert or update or delete or truncate on event_sheets
    for each statement execute function archive_changed();

-- A name is withdrawn from every version: nothing else is updated.
grant select, insert, update (sheet) on event_sheets to matchbook_serve;
