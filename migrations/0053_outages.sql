-- When this site could take moves. All nodes of a database share these rows.

-- The last moment at which some node could: each writes it several times a second, by its own clock. One row.
create table heartbeat (
    id boolean     not null default true check (id),
    at timestamptz not null,
    constraint heartbeat_pkey primary key (id)
) with (fillfactor = 50);

-- The times in which none could. Running clocks get them back, by entries of their own. Never changed or removed.
create table outages (
    began timestamptz not null,
    ended timestamptz not null,
    constraint outages_pkey primary key (ended),
    constraint outages_order check (began < ended)
);

grant select, insert, update on heartbeat to matchbook_serve;
grant select, insert on outages to matchbook_serve;
