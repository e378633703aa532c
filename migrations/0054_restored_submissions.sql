-- Acknowledged submissions that the database had lost, and that came back from a node's journal. Everybody sees them once
-- their decision is closed. Never changed or removed.
create table restored_submissions (
    log_id   integer     not null,
    match_id uuid        not null,
    decision text        not null,
    seat     text        not null,
    ordinal  smallint    not null,
    at       timestamptz not null,
    constraint restored_submissions_pkey primary key (log_id, match_id, decision, seat, ordinal, at)
);

grant select, insert on restored_submissions to matchbook_serve;
