-- Acknowledged submissions that a node's journal has, and neither the database nor the record: the database lost them, and
-- their questions closed before the journal was compared. Everybody sees them. Never changed or removed.
create table missing_submissions (
    log_id   integer     not null,
    match_id uuid        not null,
    decision text        not null,
    seat     text        not null,
    ordinal  smallint    not null,
    came     timestamptz not null,
    at       timestamptz not null,
    constraint missing_submissions_pkey primary key (log_id, match_id, decision, seat, ordinal, came)
);

grant select, insert on missing_submissions to matchbook_serve;
