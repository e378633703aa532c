-- Tokens end, and a session remembers when its umpire was last checked.

-- A token lives a year at most. Those that were made without an end, or with a later one, get a year from now.
update api_tokens
    set expires_at = coalesce(revoked_at, least(expires_at, now() + interval '365 days'))
    where expires_at is null or expires_at > now() + interval '365 days';

alter table api_tokens
    alter column expires_at set not null;

-- The last time that this browser's umpire showed who they are: by a password or by a sign-in link. Null: not since this
-- column exists, or only with an account at Discord.
alter table sessions
    add column checked_at timestamptz;
