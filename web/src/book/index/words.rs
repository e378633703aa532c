//! Text as it is searched and compared: without case, accents and punctuation, by this program and not by the database,
//! so that every database finds the same.

use std::collections::BTreeSet;

use record::{History, Said};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longer words are cut: nobody types more to find one.
const WORD_MAX_CHARS: usize = 40;
/// Letters up to which each beginning of a word is looked up as a word of its own.
const BEGINNING_MAX_CHARS: usize = 12;
/// What the words of one match and their beginnings have in all, in bytes; PostgreSQL refuses more than 1,048,575.
const WORDS_MAX_BYTES: usize = 1_000_000;
/// Words of one question that are looked for.
const ASKED_MAX: usize = 12;

/// A name as it is compared: lower case, without accents, white space folded. `Zoë  QUILL` and `zoe quill` are the same.
#[must_use]
pub fn fold(text: &str) -> String {
    let plain = text.nfkd().filter(|sign| !is_accent(*sign)).flat_map(char::to_lowercase);
    let mut folded = String::with_capacity(text.len());
    for sign in plain {
        match unaccented(sign) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(sign),
        }
    }
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a sign is an accent, of those that Unicode keeps for Latin, Greek and Cyrillic letters. What stands over or
/// beside other letters is part of the word: the vowels of Devanagari, the marks that tell が from か.
const fn is_accent(sign: char) -> bool {
    matches!(sign, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}')
}

/// Letters that Unicode does not take apart, as people without the key type them.
const fn unaccented(sign: char) -> Option<&'static str> {
    Some(match sign {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ħ' => "h",
        'ı' => "i",
        'þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

/// The words of a folded text.
fn words(folded: &str) -> impl Iterator<Item = String> + '_ {
    let words =
        folded.split(|sign: char| !sign.is_alphanumeric() && !is_combining_mark(sign)).filter(|word| !word.is_empty());
    words.map(|word| word.chars().take(WORD_MAX_CHARS).collect())
}

/// What to look for, as PostgreSQL's `tsquery` is written: every word, or what begins with it. None where the question has
/// no word in it. Words are letters and digits alone, so nothing in them needs a quote.
pub(super) fn question(asked: &str) -> Option<String> {
    let quoted = |word: String| {
        let mark = if word.chars().count() > BEGINNING_MAX_CHARS { ":*" } else { "" };
        format!("'{word}'{mark}")
    };
    let asked: Vec<String> = words(&fold(asked)).take(ASKED_MAX).map(quoted).collect();
    (!asked.is_empty()).then(|| asked.join(" & "))
}

/// A word's beginnings, and the word itself.
fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(1).map(|(at, _)| at).take(BEGINNING_MAX_CHARS);
    ends.chain([word.len()]).filter_map(|end| word.get(..end))
}

/// Every word of a match that can be found, and its beginnings: of names, event, tags, source, rulings, remarks and
/// reasons, while they exist. A reason that was withdrawn stands as a sign without a word in it.
pub(super) fn of(history: &History) -> Vec<String> {
    let names = [&history.names.p1, &history.names.p2];
    let remarks = history.remarks.iter().map(|remark| &remark.text);
    let reasons = history.strikes.iter().map(|strike| &strike.reason);
    let clocks = history.clocks.iter().flat_map(|clock| &clock.changes).filter_map(|change| change.change.reason());
    let said = names.into_iter().chain(&history.event).chain(&history.tags).chain(&history.source);
    let mut found = BTreeSet::new();
    for said in said.chain(remarks).chain(reasons).chain(clocks) {
        if let Said::Text(text) = said {
            found.extend(words(&fold(text)));
        }
    }
    for (_, reason) in history.decided_in_import() {
        found.extend(words(&fold(reason)));
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
    fn names_are_compared_without_case_and_accents() {
        for (written, folded) in [
            ("Zoë  QUILL", "zoe quill"),
            ("Łukasz Øre", "lukasz ore"),
            ("Straße", "strasse"),
            ("ＷＩＤＥ", "wide"),
            ("Ἀθηνᾶ", "αθηνα"),
            ("李 雷", "李 雷"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
            ("Οδυσσεύς", "οδυσσευσ"),
        ] {
            assert_eq!(fold(written), folded);
            assert_eq!(fold(folded), folded, "folding twice is folding once");
        }
    }

    #[test]
    fn letters_that_are_told_apart_by_marks_are_told_apart() {
        for (one, other) in [("राम", "रीमा"), ("かぎ", "がき"), ("はは", "ぱぱ"), ("สม", "สุม"), ("각", "간")]
        {
            assert_ne!(fold(one), fold(other));
        }
        assert_eq!(words(&fold("राम की रीमा")).count(), 3, "a mark parts no word");
        assert_eq!(fold("ガ"), fold("ｶﾞ"));
    }

    #[test]
    fn a_question_is_words_and_nothing_else() {
        assert_eq!(question("Zoë's  match!").as_deref(), Some("'zoe' & 's' & 'match'"));
        assert_eq!(question("' & | ! :* \\ <->"), None);
        assert_eq!(question(&"x".repeat(12)).as_deref(), Some("'xxxxxxxxxxxx'"));
        assert_eq!(question(&"x".repeat(13)).as_deref(), Some("'xxxxxxxxxxxxx':*"));
        assert_eq!(question(&"x".repeat(99)).map(|asked| asked.len()), Some(WORD_MAX_CHARS + 4));
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
