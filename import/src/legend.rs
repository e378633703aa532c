//! A legend: a line that says nothing but which words of the game others stand for, such as `S score, G grow`. Pressed, it is read
//! into all other lines.

use super::fix::{Does, Fix};
use super::preview::Row;
use super::speakers::Speakers;
use super::typed_move::{BETWEEN_WORDS, Vocabulary};

/// Fewer are no legend, and more are none that somebody wrote.
const PAIRS_LEAST: usize = 3;
const PAIRS_MAX: usize = 40;
/// The most bytes of one of its words.
const WORD_BYTES_MAX: usize = 40;

/// Asks about the first line that is one.
pub(crate) fn ask(rows: &mut [Row], lines: &[(usize, &str)], game: &Vocabulary, speakers: &Speakers) {
    let found = lines.iter().find_map(|(at, line)| Some((*at, pairs(line, game, speakers)?)));
    let Some((at, words)) = found else { return };
    let Some(row) = rows.get_mut(at).filter(|row| row.wrong.is_none()) else { return };
    row.asks("are these words to be read as those of the game?");
    let listed: Vec<String> = words.iter().map(|(said, meant)| format!("{said} as {meant}")).collect();
    let does = Does::Words { at: row.line, was: row.source.clone(), words };
    row.fixes = vec![Fix { label: format!("Read {}", listed.join(", ")), does }];
    row.offer_ignore();
}

/// The words of a legend, each with the one that it stands for; none if the line says anything else, or nothing new.
fn pairs(line: &str, game: &Vocabulary, speakers: &Speakers) -> Option<Vec<(String, String)>> {
    let labelled = line.split_once(':').filter(|(label, _)| label.chars().all(char::is_alphabetic));
    let words = labelled.map_or(line, |(_, rest)| rest).split([' ', ',', ';', '=', ':', '.', '-', '→']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_meant = |word: &str| game.words.contains(word) || BETWEEN_WORDS.contains(&word);
    // One letter may begin a player's name, too.
    let is_name = |word: &str| word.chars().count() > 1 && speakers.knows(word);
    let pair = |pair: &[&str]| match pair {
        [said, meant] if is_meant(meant) && !is_meant(&said.to_lowercase()) && !is_name(said) => {
            Some(((*said).to_owned(), (*meant).to_owned()))
        }
        _ => None,
    };
    let pairs: Vec<(String, String)> = words.chunks(2).map(pair).collect::<Option<_>>()?;
    let is_new = pairs.iter().any(|(said, meant)| !meant.starts_with(&said.to_lowercase()));
    (pairs.len() >= PAIRS_LEAST && is_new && can_be(&pairs)).then_some(pairs)
}

/// False for words that no legend has. A button comes back from a browser: what is put in holds no sign that another word would
/// be put into again, so that a text can grow by no more than its own words.
pub(crate) fn can_be(words: &[(String, String)]) -> bool {
    let is_short = |word: &str| (1..=WORD_BYTES_MAX).contains(&word.len());
    words.len() <= PAIRS_MAX
        && words.iter().all(|(said, meant)| {
            is_short(said) && is_short(meant) && !said.contains(' ') && meant.chars().all(char::is_alphanumeric)
        })
}

/// A line in which the words of a legend are those of the game: whole words, and signs anywhere.
pub(crate) fn read_into(line: &str, words: &[(String, String)]) -> String {
    let is_sign = |said: &str| !said.contains(char::is_alphanumeric);
    let of = |word: &str| words.iter().find(|(said, _)| said == word).map_or(word, |(_, meant)| meant).to_owned();
    let mut out = String::with_capacity(line.len());
    for piece in line.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let end = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric()).len();
        let (word, mark) = piece.split_at_checked(end).unwrap_or((piece, ""));
        out = out + &of(word) + mark;
    }
    let signs = words.iter().filter(|(said, _)| is_sign(said));
    signs.fold(out, |out, (said, meant)| out.replace(said.as_str(), &format!(" {meant} ")))
}

#[cfg(test)]
mod tests {
    use crate::fix::Does;

    #[test]
    fn a_button_that_no_legend_gave_changes_nothing() {
        let pressed = |said: &str, meant: &str, times: usize| {
            let words = vec![(said.to_owned(), meant.to_owned()); times];
            Does::Words { at: 1, was: "S score".into(), words }.apply("S score\n- S\n")
        };
        assert_eq!(pressed("S", "score", 3).as_deref(), Some("# S score\n- score\n"));
        for (said, meant) in [("-", "--"), ("", "score"), (" ", "score"), ("S", "")] {
            assert_eq!(pressed(said, meant, 40), None, "{said}: {meant}");
        }
        assert_eq!(pressed("S", "score", 41), None);
        assert_eq!(pressed("S", &"s".repeat(41), 3), None);
    }
}
