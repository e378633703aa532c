-- Each term of the log has keys of its own: for checkpoints, and for the host's receipts. `log_keys` and `logs` have those
-- of term 0. The key of the term before signs who succeeds it, so that nobody else can; where it is lost, `named` is null.
alter table successions
    -- The last tree that the term before signed. What it has more than `size` entries is lost.
    add column last_size bigint check (last_size >= size),
    add column last_root bytea check (octet_length(last_root) = 32),
    add column log_key   bytea check (octet_length(log_key) = 32),
    add column host_key  bytea check (octet_length(host_key) = 32),
    add column named     text;

-- A term from before had the keys of term 0, which no policy can name twice: to be succeeded once more.
update successions
set last_size = size, last_root = root, log_key = log_keys.public_key, host_key = logs.host_key
from logs join log_keys using (log_id)
where successions.log_id = logs.log_id;

alter table successions
    alter column last_size set not null,
    alter column last_root set not null,
    alter column log_key   set not null,
    alter column host_key  set not null;
