-- What happened to accounts: sign-ins and failed ones, links, tokens, roles, passwords. Beside the record, and like it
-- append-only as a matter of grants: the role that serves can look and add, and nothing else.
--
-- No secret is in it: no password, link, cookie or token, nor what somebody typed as a name.

create table account_events (
    id         bigint      not null primary key generated always as identity,
    at         timestamptz not null,
    kind       text        not null check (kind ~ '^[a-z-]{1,40}$'),
    -- The account. Null: a failed sign-in under a name or a link that nobody has.
    umpire_id  text        references umpires (id),
    -- Who did it. Null: nobody who was signed in, which is the command line or a failed sign-in.
    by_id      text        references umpires (id),
    channel    text        not null check (channel in ('pages', 'api', 'discord', 'command-line')),
    -- The sender's address as the rate limits count it: for IPv6 the network of one household. Empty without one.
    address    text        not null default '',
    -- Details, such as the name of a token or the kind of browser.
    note       text        not null default ''
);

create index account_events_umpire on account_events (umpire_id, id);

grant select, insert on account_events to matchbook_serve;
