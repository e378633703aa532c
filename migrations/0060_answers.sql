-- `archive_seats.moves` has every answer of the seat in order, no longer sums: a line for each, with tabs between the
-- question, the kind of move, the row of the score sheet, and the signs < = > for behind, level and ahead (- in a game
-- without a score) and x for a part that the opponent blocked. Whoever prepares for a player reads what followed what.
--
-- All matches are counted again. Programs from before this read no habits from such a text, and write the old one, which
-- this program leaves out until the match is counted again.
update archive set counted_head = null where counted_head is not null;
delete from move_counts;
delete from pair_counts;
delete from ending_counts;
delete from counted_matches;
update archive_seats set moves = '' where moves <> '';
