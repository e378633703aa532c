-- What the umpires of a match keep beside the record. None of it is public.

-- Notes for the umpires alone. The form that brought one names it, so that it is kept once.
create table umpire_notes (
    log_id   integer     not null,
    match_id uuid        not null,
    form     bytea       not null check (octet_length(form) = 16),
    umpire   text        not null references umpires (id),
    at       timestamptz not null,
    text     text        not null check (text <> ''),
    constraint umpire_notes_pkey primary key (log_id, match_id, form)
);

-- What a player sent elsewhere, after the deadline. It counts for nothing until a ruling admits it; then it becomes a
-- submission like any other, under the same name. The text is encrypted under a key that is not in the database: the
-- decision may still be open.
create table late_inputs (
    log_id     integer     not null,
    match_id   uuid        not null,
    decision   text        not null,
    seat       text        not null check (seat in ('p1', 'p2')),
    form       bytea       not null check (octet_length(form) = 16),
    sent_at    timestamptz not null,
    typed_at   timestamptz not null,
    typed_by   text        not null,
    ciphertext bytea       not null,
    constraint late_inputs_pkey primary key (log_id, match_id, decision, seat, form)
);

-- Who said to be ready to begin.
create table ready (
    log_id   integer     not null,
    match_id uuid        not null,
    seat     text        not null check (seat in ('p1', 'p2')),
    at       timestamptz not null,
    constraint ready_pkey primary key (log_id, match_id, seat)
);

-- Matches whose umpire may read what the players sent before a decision closes. In all others nobody can. It is chosen
-- when the match is opened, and the players' pages say it.
create table sighted (
    log_id   integer not null,
    match_id uuid    not null,
    constraint sighted_pkey primary key (log_id, match_id)
);

-- Matches that are announced: outside the log until they are opened. `fields` is what the form of the desk holds.
create table planned (
    form      bytea       not null primary key check (octet_length(form) = 16),
    log_id    integer     not null,
    umpire    text        not null references umpires (id),
    starts_at timestamptz not null,
    ruleset   text        not null,
    p1        text        not null,
    p2        text        not null,
    event     text        not null,
    fields    text        not null,
    match_id  uuid,
    dropped   boolean     not null default false
);

create index planned_next on planned (log_id, starts_at) where match_id is null and not dropped;

-- Everybody whose match it was or is, by pseudonym; `umpire` is the one whose it is now.
alter table archive add column umpires text[] not null default '{}';
update archive set umpires = array[umpire];

grant select, insert on umpire_notes, late_inputs, ready, sighted to matchbook_serve;
grant select, insert, update on planned to matchbook_serve;
