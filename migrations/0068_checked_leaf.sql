-- The leaf hash of the last entry on which the last verification was run. The number of entries does not tell them from
-- others that somebody wrote in their place. Null after a check by an older program: that counts as none.
alter table archive add column checked_leaf bytea check (octet_length(checked_leaf) = 32);
