-- Signing in as an umpire with an account at Discord.

-- What a browser began at Discord and has not ended yet: to sign in, or to link an account. The browser has the token in a
-- cookie, and here is its SHA-256 alone. A row is used once.
create table discord_sign_ins (
    token      bytea       not null primary key check (octet_length(token) = 32),
    -- Who links an account; null where somebody signs in.
    umpire_id  text        references umpires (id),
    expires_at timestamptz not null
);

create index discord_sign_ins_age on discord_sign_ins (expires_at);

alter table sessions
    drop constraint sessions_via_check,
    add constraint sessions_via_check check (via in ('link', 'password', 'discord'));

grant select, insert, delete on discord_sign_ins to matchbook_serve;
