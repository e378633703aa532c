-- A match of the past that follows the rules has a verdict of its own: nobody saw its play, its time and its seals, so it
-- is not called verified. Those that were, are checked again.

alter table archive
    drop constraint archive_verdict_check,
    add constraint archive_verdict_check
        check (verdict in ('unchecked', 'verified', 'rulings', 'imported', 'pending', 'unknown', 'failed'));

update archive
    set verdict = 'unchecked', checked_head = null, checked_words = ''
    where mode = 'imported' and verdict in ('verified', 'rulings');
