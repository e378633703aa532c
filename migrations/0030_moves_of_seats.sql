-- What a seat sent in a match stands with the seat, as one text: it is only ever read all together, of a hundred matches of
-- a player at a time. In a table of their own these were looked up one by one, and three lists of texts cost more to send
-- and to take apart than to find.
--
-- A kind of move on each line: the question, the kind in answer, and how often it was sent, with tabs between them. Empty
-- until the statistics have counted the match.
alter table archive_seats add column moves text collate "C" not null default '';

update archive_seats as seats set moves = coalesce((
    select string_agg(kinds.what || E'\t' || kinds.sent || E'\t' || kinds.n, E'\n' order by kinds.what, kinds.sent)
    from unnest(sent.what, sent.sent, sent.n) as kinds (what, sent, n)
), '')
from match_moves as sent
where sent.log_id = seats.log_id and sent.match_id = seats.match_id and sent.seat = seats.seat;

drop table match_moves;
