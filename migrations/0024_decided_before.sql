-- An umpire's decision in a match of the past is now counted among its rulings, and its reason is found by a search. What
-- was derived before lacks both: without a cursor every match is derived again, which `serve` does by itself when it
-- starts. Rows are replaced one by one, so that lists, checks and counts stay as they are meanwhile.
delete from archive_cursor;
