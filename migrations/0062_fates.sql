-- What became of each kind of action, such as a Steal or a prediction: the number of times with each fate, in the words of
-- the engine, such as 'blocked'. Part of the statistics (0038), and counted with them: 0060 lets all matches be counted again.
create table fate_counts (
    log_id  integer not null,
    ruleset text    not null,
    subject text    collate "C" not null,
    fate    text    collate "C" not null,
    n       bigint  not null,
    constraint fate_counts_pkey primary key (log_id, ruleset, subject, fate)
);

grant select, insert, update, delete on fate_counts to matchbook_serve;
