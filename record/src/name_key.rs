//! Names as they are compared, by this program and not by the database, so that every database finds the same.

use unicode_normalization::UnicodeNormalization;

/// A name as it is compared: lower case, without accents, white space folded. `Zoë  QUILL` and `zoe quill` are the same.
#[must_use]
pub fn name_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    }
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
            assert_eq!(name_key(written), folded);
            assert_eq!(name_key(folded), folded, "folding twice is folding once");
        }
    }
}
