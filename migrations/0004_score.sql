-- What tells a match in a line is not chips in every game: boards won in one, hands won in another, nothing in a third.
alter table archive rename column chips_p1 to score_p1;
alter table archive rename column chips_p2 to score_p2;
