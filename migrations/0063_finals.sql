-- A submission that its seat called final. In a match that says so, a question to both seats closes as soon as the last row
-- of each is final. Null where it is not, as in all older rows, so that the journals of before fit their rows.
alter table submissions add column is_final boolean check (is_final);
