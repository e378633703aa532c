-- By whom, when and why names were joined or parted. A name that is withdrawn leaves this table, too: so no event of
-- accounts has it.
create table alias_acts (
    id         bigint      not null primary key generated always as identity,
    log_id     integer     not null,
    key        text        collate "C" not null,
    player_key text        collate "C" not null,
    joins      boolean     not null,
    umpire_id  text        not null references umpires (id),
    at         timestamptz not null,
    reason     text        not null
);

create index alias_acts_key on alias_acts (log_id, key);
create index alias_acts_player on alias_acts (log_id, player_key);

grant select, insert, delete on alias_acts to matchbook_serve;

-- A withdrawn name leaves the notes of umpires, too.
grant update (text) on umpire_notes to matchbook_serve;
