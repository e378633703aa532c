-- Names that an umpire joined, because one player wrote both. It is beside the record: an entry keeps the name that was
-- written, and parting the names again leaves no trace. Names are in the form used for comparing.
--
-- While they are joined, the rows of the archive have the player's key in the place of the alias. A name that is withdrawn
-- leaves this table, too.
create table aliases (
    log_id     integer     not null,
    -- The name that is not a player of its own while it is here.
    key        text        collate "C" not null,
    -- The player: never an alias itself.
    player_key text        collate "C" not null,
    umpire_id  text        not null references umpires (id),
    at         timestamptz not null default now(),
    constraint aliases_pkey primary key (log_id, key),
    constraint aliases_other check (key <> player_key)
);

create index aliases_player on aliases (log_id, player_key, key);

grant select, insert, update, delete on aliases to matchbook_serve;
