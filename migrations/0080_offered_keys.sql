-- A seat's key binds with the first answer that enters, so several browsers may offer one until then.

-- The number of the link by which it came, as entries name it: a key of a newer link ends those of older ones.
alter table waiting_keys add column link integer check (link >= 0);
alter table waiting_keys drop constraint waiting_keys_pkey,
    add constraint waiting_keys_pkey primary key (log_id, match_id, seat, key);
grant update (came_at, link) on waiting_keys to matchbook_serve;
