-- An umpire's decision in a match of the past counts as a ruling, and so does a move that an umpire typed for a seat that
-- signs: in the lists as in the verdict. `serve` derives the lists again by itself, and checks these matches anew.
delete from archive_cursor;
update archive set checked_head = null where mode = 'imported' and rulings > 0;
