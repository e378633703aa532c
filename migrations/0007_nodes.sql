-- The programs that serve this database: when they could take moves, and which of them are too old. All of
-- them share these rows.

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

-- Two versions of the program serve one database while a site is upgraded. A program is known by the newest migration that it
-- has. One that is older than this row says stops by itself, and does not start. A migration that older programs cannot live
-- with raises it; every other migration leaves it alone. One row.
create table oldest_program (
    id        boolean not null default true check (id),
    migration bigint  not null,
    constraint oldest_program_pkey primary key (id)
);

insert into oldest_program (migration) values (1);

grant select, insert, update on heartbeat to matchbook_serve;
grant select, insert on outages to matchbook_serve;
grant select on oldest_program to matchbook_serve;
