-- How matches of a ruleset ended, counted: for statistics beside move_counts and pair_counts, and derived like them.
create table ending_counts (
    log_id  integer not null,
    ruleset text    not null,
    -- As in archive; the seat of the DMO, or '' where there is none.
    result  text    not null check (result in ('p1', 'p2', 'undecided')),
    dmo     text    not null check (dmo in ('p1', 'p2', '')),
    reason  text    not null,
    rounds  integer not null,
    n       bigint  not null,
    constraint ending_counts_pkey primary key (log_id, ruleset, result, dmo, reason, rounds)
);

grant select, insert, update, delete on ending_counts to matchbook_serve;
