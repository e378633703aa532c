-- What met what is counted by rounds and by score as well: all is counted again, as `serve` does by itself.
delete from move_counts;
delete from pair_counts;
delete from ending_counts;
delete from counted_matches;
update archive set counted_head = null where counted_head is not null;
