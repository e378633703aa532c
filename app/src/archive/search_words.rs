//! Text as it is searched: without case, accents and punctuation. This program folds it and not the database, so that
//! every database finds the same.

use std::collections::BTreeSet;

use record::{CommittedText, History, name_key};
use unicode_normalization::char::is_combining_mark;

const WORD_MAX_CHARS: usize = 40;
/// Beginnings up to this length are stored as words of their own.
const BEGINNING_MAX_CHARS: usize = 12;
/// The size of all words of a match with their beginnings. PostgreSQL refuses more than 1,048,575.
const WORDS_MAX_BYTES: usize = 1_000_000;
const ASKED_MAX: usize = 12;

fn words(folded: &str) -> impl Iterator<Item = String> + '_ {
    let words =
        folded.split(|sign: char| !sign.is_alphanumeric() && !is_combining_mark(sign)).filter(|word| !word.is_empty());
    words.map(|word| word.chars().take(WORD_MAX_CHARS).collect())
}

fn undivided(folded: &str) -> impl Iterator<Item = String> + '_ {
    let is_letter = |sign: char| sign.is_alphanumeric() || is_combining_mark(sign);
    let divided = folded.split_whitespace().filter(move |name| {
        let name = name.trim_matches(|sign| !is_letter(sign));
        !name.chars().all(is_letter)
    });
    divided.map(move |name| name.chars().filter(|sign| is_letter(*sign)).take(WORD_MAX_CHARS).collect())
}

/// A search as a `tsquery` of PostgreSQL: every word, or the beginning of one. None if the search has no words. Words
/// consist of letters and digits, so nothing in them must be escaped.
pub(super) fn question(asked: &str) -> Option<String> {
    let quoted = |word: String| {
        let mark = if word.chars().count() > BEGINNING_MAX_CHARS { ":*" } else { "" };
        format!("'{word}'{mark}")
    };
    let asked: Vec<String> = words(&name_key(asked)).take(ASKED_MAX).map(quoted).collect();
    (!asked.is_empty()).then(|| asked.join(" & "))
}

fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(1).map(|(at, _)| at).take(BEGINNING_MAX_CHARS);
    ends.chain([word.len()]).filter_map(|end| word.get(..end))
}

pub(super) fn of(history: &History) -> Vec<String> {
    let names = [&history.names.p1, &history.names.p2];
    let remarks = history.remarks.iter().map(|remark| &remark.text);
    let reasons = history.strikes.iter().map(|strike| &strike.reason);
    let clocks = history.clocks.iter().flat_map(|clock| &clock.changes).filter_map(|change| change.change.reason());
    let said = names.into_iter().chain(&history.event).chain(&history.tags).chain(&history.source);
    let title = history.ruleset().declaration().and_then(|game| game.title.as_deref());
    let all = said.chain(remarks).chain(reasons).chain(clocks).filter_map(CommittedText::text);
    of_texts(all.chain(title).chain(history.decided_in_import().map(|(_, reason)| reason)))
}

pub(super) fn of_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for folded in texts.map(name_key) {
        found.extend(words(&folded).chain(undivided(&folded)));
    }
    let mut bytes = 0;
    let fits = found.iter().take_while(|word| {
        bytes += beginnings(word).map(str::len).sum::<usize>();
        bytes <= WORDS_MAX_BYTES
    });
    fits.flat_map(|word| beginnings(word)).map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_marks_distinguish_letters() {
        for (one, other) in [("राम", "रीमा"), ("かぎ", "がき"), ("はは", "ぱぱ"), ("สม", "สุม"), ("각", "간")]
        {
            assert_ne!(name_key(one), name_key(other));
        }
        assert_eq!(words(&name_key("राम की रीमा")).count(), 3, "a mark parts no word");
        assert_eq!(name_key("ガ"), name_key("ｶﾞ"));
    }

    #[test]
    fn a_query_has_only_words() {
        assert_eq!(question("Zoë's  match!").as_deref(), Some("'zoe' & 's' & 'match'"));
        assert_eq!(question("' & | ! :* \\ <->"), None);
        assert_eq!(question(&"x".repeat(12)).as_deref(), Some("'xxxxxxxxxxxx'"));
        assert_eq!(question(&"x".repeat(13)).as_deref(), Some("'xxxxxxxxxxxxx':*"));
        assert_eq!(question(&"x".repeat(99)).map(|asked| asked.len()), Some(WORD_MAX_CHARS + 4));
    }

    #[test]
    fn a_divided_name_is_found_in_one_word() {
        let found = |text: &str| undivided(&name_key(text)).collect::<Vec<_>>();
        assert_eq!(found("Ada O'Malley, Dr.Pelican (twice)"), ["omalley", "drpelican"]);
        assert_eq!(found("राम की"), [""; 0]);
    }

    #[test]
    fn a_word_is_found_by_its_beginnings() {
        assert_eq!(beginnings("зоя").collect::<Vec<_>>(), ["з", "зо", "зоя"]);
        assert_eq!(beginnings("a").collect::<Vec<_>>(), ["a"]);
        let long = "abcdefghijklmnop";
        let found: Vec<&str> = beginnings(long).collect();
        assert_eq!(found.len(), 13, "twelve beginnings and the word");
        assert_eq!((found.get(11), found.get(12)), (Some(&"abcdefghijkl"), Some(&long)));
    }
}
