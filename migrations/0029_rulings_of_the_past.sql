-- An umpire's decision in a match of the past counts as a ruling, in its verdict too: these are checked anew.
update archive set checked_head = null where mode = 'imported' and rulings > 0;

-- A move that an umpire typed for a seat that signs counts as a ruling, in lists too. Its verdict has counted it.
update archive set rulings = counted.n
from (
    select log_id, match_id, (regexp_match(checked_words, '^verified with (\d+) rulings?\M'))[1]::integer as n
    from archive
    where verdict = 'rulings' and mode <> 'imported'
) as counted
where archive.log_id = counted.log_id and archive.match_id = counted.match_id and archive.rulings <> counted.n;
