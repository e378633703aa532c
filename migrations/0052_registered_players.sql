-- Registered players. Their chains are entries of the log like any other, under the player's id in the place of a match's.

-- The vouching that came with a key which waits: '<player> <signature>'. Null where nobody vouched. It tells who plays, so
-- it is erased with the words of the key's entry.
alter table waiting_keys add column vouching text check (vouching <> '');
grant update (vouching) on waiting_keys to matchbook_serve;

-- The registered players who vouched for the seats of a match, as far as that was not withdrawn. Derived from the match's
-- entries and words, and written together with its row in the archive.
create table vouched_seats (
    log_id    integer     not null,
    match_id  uuid        not null,
    seat      text        not null check (seat in ('p1', 'p2')),
    player    uuid        not null,
    played_at timestamptz not null,
    constraint vouched_seats_pkey primary key (log_id, match_id, seat)
);

create index vouched_seats_player on vouched_seats (log_id, player, played_at desc, match_id desc);

grant select, insert, update, delete on vouched_seats to matchbook_serve;
