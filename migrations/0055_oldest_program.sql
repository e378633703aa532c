-- Two versions of the program serve one database while a site is upgraded. A program is known by the newest migration that it
-- has. One that is older than this row says stops by itself, and does not start. A migration that older programs cannot live
-- with raises it; every other migration leaves it alone. One row.
create table oldest_program (
    id        boolean not null default true check (id),
    migration bigint  not null,
    constraint oldest_program_pkey primary key (id)
);

insert into oldest_program (migration) values (55);

grant select on oldest_program to matchbook_serve;
