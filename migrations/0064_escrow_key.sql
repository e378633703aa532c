-- A number that tells the escrow key from others and says nothing about it, as log_keys does for the key of checkpoints.
-- A start with another key is refused: it could not open what is encrypted here. Made at the first start; only the owner
-- changes it, when the key is lost for good.
create table escrow_keys (
    log_id     integer     not null primary key,
    key_check  bytea       not null check (octet_length(key_check) = 32),
    created_at timestamptz not null
);

grant select, insert on escrow_keys to matchbook_serve;
