-- Words are stored with the entry that commits to them, in one statement. Before, they were stored first: what a crash cut
-- short, and what was refused because somebody else was faster, left words that no entry mentions. They made a match fail
-- its check, and nobody could withdraw them.
delete from texts
where not exists (
    select from entries
    where entries.log_id = texts.log_id and entries.match_id = texts.match_id
        and position(convert_to(encode(texts.commitment, 'hex'), 'UTF8') in entries.bytes) > 0
);

-- What failed for that reason is checked again.
update archive set checked_head = null where verdict = 'failed';

-- A plan that was opened or dropped needs its names no more, and withdrawing names does not look here.
update planned set p1 = '', p2 = '', event = '', fields = '' where match_id is not null or dropped;

-- Names are compared without accents, and were without every sign that stands over or beside a letter: vowels in
-- Devanagari and the like, and the marks that tell Japanese letters apart. Where there may be such names, or Greek ones, the
-- archive is derived anew.
delete from archive_cursor where exists (select from texts where text ~ '[^\u0001-\u036F\u1E00-\u1EFF\u2000-\u206F]');
