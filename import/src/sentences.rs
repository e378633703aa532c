//! A line that names the players, taken apart at their names: `Black: Score, Grow / White: Steal (0-2)`. It knows names and marks,
//! and no game.

use engine::Seat;

use super::speakers::Speakers;
use super::typed_move::TYPED_MAX_BYTES;

/// Marks between a name and what is said of it, and behind that.
const MARKS: &[char] = &[' ', ',', ';', '.', '/', '|', '·', '•', '—', '–', '-', '→', '=', ':', '>', '»', '!', '*', '"'];
/// Words there.
const BETWEEN: [&str; 5] = ["vs", "vs.", "v", "and", "&"];
/// Verbs that lead from a name to a move.
const VERBS: &str = "plays|played|picks|picked|chooses|chose|takes|took|sends|sent|went with|uses";
/// Marks before a score at the end of a line.
const BEFORE_SCORE: [&str; 9] = [" = ", " (", ". ", "! ", "; ", " | ", ", ", " → ", " -> "];
/// Players named in a line; of more only the first are looked at.
const NAMES_MOST: usize = 12;

/// A part of a line, from a player's name to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause<'t> {
    pub(crate) seat: Seat,
    pub(crate) text: &'t str,
}

/// The parts of a line that begins with a player's name; none if it does not.
pub(crate) fn clauses<'t>(line: &'t str, speakers: &Speakers) -> Vec<Clause<'t>> {
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    if line.len() > TYPED_MAX_BYTES {
        return Vec::new();
    }
    let mut names = named(line, speakers);
    if names.is_empty() {
        names = initials(line, speakers);
    }
    let before = names.first().and_then(|(_, at, _)| line.get(..*at)).unwrap_or(line).trim();
    // "1) Black: Score", "Cards: Black AC, White 2C"
    let label = before.strip_suffix(':').is_some_and(|label| label.split(' ').count() < 3);
    if names.is_empty() || (before.contains(char::is_alphabetic) && !label) {
        return Vec::new();
    }
    let ends = names.iter().skip(1).map(|(_, at, _)| *at).chain([line.len()]);
    let text = |end: usize, from: usize| line.get(from..end).map(|said| without_verb(bare(said)));
    let clauses = names
        .iter()
        .zip(ends)
        .filter_map(|((seat, _, from), end)| Some(Clause { seat: *seat, text: text(end, *from)? }));
    clauses.filter(|clause| !clause.text.is_empty()).collect()
}

/// A text without the verb that leads from a name to a move.
fn without_verb(text: &str) -> &str {
    let verb = VERBS
        .split('|')
        .find_map(|verb| text.split_at_checked(verb.len()).filter(|(word, _)| word.eq_ignore_ascii_case(verb)));
    verb.filter(|(_, rest)| rest.starts_with([' ', ':'])).map_or(text, |(_, rest)| rest.trim_start_matches([' ', ':']))
}

/// The players whom a line names: the seat, and where the name begins and ends.
fn named(line: &str, speakers: &Speakers) -> Vec<(Seat, usize, usize)> {
    let mut found: Vec<(Seat, usize, usize)> = Vec::new();
    let mut inside = false;
    for (at, letter) in line.char_indices() {
        let begins = letter.is_alphanumeric() && !inside;
        inside = letter.is_alphanumeric() || letter == '_';
        if !begins || found.last().is_some_and(|(.., end)| at < *end) || found.len() == NAMES_MOST {
            continue;
        }
        // "Black (p1): Score"
        let in_brackets = line.get(..at).is_some_and(|before| before.ends_with('('));
        if let Some((seat, rest)) = line.get(at..).filter(|_| !in_brackets).and_then(|from| speakers.leading_seat(from))
        {
            found.push((seat, at, line.len() - rest.len()));
        }
    }
    found
}

/// Both players by the first letters of their names: `B score grow  W steal`.
fn initials(line: &str, speakers: &Speakers) -> Vec<(Seat, usize, usize)> {
    let letters = speakers.initials();
    let mut found = Vec::new();
    let mut at = 0;
    for word in line.split(' ') {
        let bare = word.trim_end_matches([':', '=']);
        let is = |letter: char| {
            bare == letter.to_string() || (bare.len() < word.len() && bare == letter.to_lowercase().to_string())
        };
        if let Some((_, seat)) = letters.iter().find(|(letter, _)| is(*letter)) {
            found.push((*seat, at, at + bare.len()));
        }
        at += word.len() + 1;
    }
    match found.as_slice() {
        [(one, ..), (other, ..)] if one != other => found,
        _ => Vec::new(),
    }
}

/// A text without the marks around it.
pub(crate) fn bare(text: &str) -> &str {
    let text = text.trim();
    // A dash alone says that nothing came.
    let behind = text.trim_start_matches([' ', ':', '=', '→', '»']);
    if matches!(behind.trim_end_matches([',', ';', '.', '/', '|', ' ']), "-" | "—" | "–") {
        return behind.trim_end_matches([',', ';', '.', '/', '|', ' ']);
    }
    // "Black (p1): Score"
    let behind = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(_, rest)| rest);
    let text = behind.filter(|rest| rest.trim_start().starts_with([':', '—', '-'])).unwrap_or(text);
    let mut text = text.trim_matches(MARKS);
    while let Some((before, word)) = text.rsplit_once(' ')
        && BETWEEN.iter().any(|between| between.eq_ignore_ascii_case(word))
    {
        text = before.trim_end_matches(MARKS);
    }
    text.trim_end_matches('(').trim_end()
}

/// The ways in which a text may end in something that is no move, such as a score: what stands before it, and what behind.
pub(crate) fn endings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_figure = |part: &str| part.parse::<u32>().is_ok();
    let is_figures =
        |behind: &str| behind.split_once(['-', ':', '–']).is_some_and(|(a, b)| is_figure(a) && is_figure(b));
    let figures = text.rsplit_once(' ').filter(|(_, behind)| is_figures(behind)).map(|(before, _)| (before.len(), " "));
    let marked = BEFORE_SCORE.iter().flat_map(|mark| text.match_indices(mark));
    marked.chain(figures).filter_map(|(at, mark)| {
        Some((bare(text.get(..at)?), text.get(at + mark.len()..)?.trim_end_matches([')', '.'])))
    })
}

/// The sentences of a line.
pub(crate) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let ends: Vec<usize> = line
        .match_indices([' '])
        .filter_map(|(at, _)| {
            let before = line.get(..at)?;
            let word = before.rsplit(' ').next()?;
            // A title ends none: "Dr. Pelican".
            (before.ends_with(['.', '!']) && word.len() > 4
                || before.ends_with(['.', '!']) && word.contains(|letter: char| letter.is_ascii_digit()))
            .then_some(at)
        })
        .chain([line.len()])
        .collect();
    ends.into_iter().filter_map(move |end| {
        let sentence = line.get(from..end)?;
        from = end;
        Some(sentence.trim())
    })
}
