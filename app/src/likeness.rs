//! The one rule for names that could be mistaken for another: nobody may carry a character that no reader sees, and two
//! names that look the same count as one. It serves umpires, tokens, events and the two players of a match.
//!
//! This is no key. Keys of the archive are [`record::name_key`], which are stored; nothing here is stored, so that a
//! newer list of Unicode's confusable characters changes no row.

use record::name_key;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::confusable_detection::skeleton;

/// The first character of a name that no reader sees: control characters, and those that Unicode allows a program to
/// ignore (zero-width spaces and joiners, soft hyphens, variation selectors, marks of direction), those that have no
/// look of their own (private, unassigned, breaks of lines), and the empty ones among the others. Letters of all scripts
/// can be read without them.
#[must_use]
pub fn unseen(name: &str) -> Option<char> {
    name.chars().find(|sign| is_unseen(*sign))
}

#[must_use]
pub fn seen(name: &str) -> String {
    name.replace(is_unseen, "").trim().to_owned()
}

fn is_unseen(sign: char) -> bool {
    EMPTY.contains(&sign) || is_formless(sign) || is_ignorable(sign)
}

/// Characters that are drawn as nothing, whatever their category: the empty Braille cell, a note head that is none, and
/// the place of an object.
const EMPTY: [char; 3] = ['\u{2800}', '\u{1d159}', '\u{fffc}'];

fn is_formless(sign: char) -> bool {
    matches!(
        sign.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::Surrogate
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    )
}

/// A skeleton leaves out exactly the characters with Unicode's property `Default_Ignorable_Code_Point`.
fn is_ignorable(sign: char) -> bool {
    !sign.is_ascii() && skeleton(sign.encode_utf8(&mut [0; 4])).next().is_none()
}

#[must_use]
pub fn is_blank(name: &str) -> bool {
    name_key(&seen(name)).is_empty()
}

/// The looks of a name: with small letters, and with the letters that were written. A capital I looks like a small l,
/// and a small i does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    small: String,
    written: String,
}

impl Likeness {
    /// The looks of a name, by Unicode's confusable characters (UTS 39). Spaces and punctuation are left out: some are as
    /// thin as none, and nobody reads `Ada.` as another name. A name of punctuation alone keeps it.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let looks = |text: &str| skeleton(text).collect::<String>();
        let solid = |text: &str| {
            let key = name_key(text).replace(' ', "");
            let letters = key.replace(is_punctuation, "");
            if letters.is_empty() { key } else { letters }
        };
        Self { small: solid(&looks(&name_key(&capital(name)))), written: solid(&looks(name)) }
    }

    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.small == other.small || self.written == other.written
    }

    #[must_use]
    pub fn shows(&self, other: &Self) -> bool {
        self.small.contains(&other.small) || self.written.contains(&other.written)
    }
}

fn is_punctuation(sign: char) -> bool {
    matches!(
        sign.general_category(),
        GeneralCategory::ConnectorPunctuation
            | GeneralCategory::DashPunctuation
            | GeneralCategory::OpenPunctuation
            | GeneralCategory::ClosePunctuation
            | GeneralCategory::InitialPunctuation
            | GeneralCategory::FinalPunctuation
            | GeneralCategory::OtherPunctuation
    )
}

/// A name in which a small l between capitals is read as the I that it looks like: `UMPlRE`.
fn capital(name: &str) -> String {
    let word = |word: &str| {
        let others = word.replace('l', "");
        if others.chars().filter(|sign| sign.is_uppercase()).count() > 1 && !others.chars().any(char::is_lowercase) {
            word.replace('l', "I")
        } else {
            word.to_owned()
        }
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// True if two names look the same, or are the same but for case, accents and white space.
#[must_use]
pub fn are_alike(one: &str, other: &str) -> bool {
    Likeness::of(one).is_like(&Likeness::of(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_alike() {
        let alike = "Ada = ada, Ada = Ada\u{200b}, Ada = A\u{ad}da, Ada = Ada\u{fe0f}, \
                     Ada = \u{410}d\u{430}, Head Umpire = Head Umpir\u{435}, HEAD = \u{41d}\u{415}AD, \
                     Head  Umpire = head\u{a0}umpire, Head Umpire = Head\u{2009}Umpire, \
                     Head Umpire = Head\u{3000}Umpire, Ada = Ad\u{200a}a, Ada = A\u{202f}da, \
                     Ada = Ad\u{205f}a, Al = AI, Head Umpire = HEAD UMPlRE, Zoë = Zoe\u{308}, Zoë = ZOE, \
                     Ada = \u{1d400}\u{1d41d}\u{1d41a}, Ada = Ａｄａ, Bob = B0b, O\u{2019}Neil = O'Neil, \
                     Ada = Ada., Head Umpire = Head_Umpire, Head Umpire = (Head-Umpire)";
        for (one, other) in alike.split(", ").map(|pair| pair.split_once(" = ").unwrap()) {
            assert!(are_alike(one, other), "{one:?} and {other:?}: {:?} {:?}", Likeness::of(one), Likeness::of(other));
        }
        for (one, other) in [
            ("Ada", "Ben"),
            ("Player 1", "Player 2"),
            ("李雷", "李霞"),
            ("ガ", "カ"),
            ("Anna", "Hanna"),
            ("Lia", "Ila"),
            ("राम", "रीमा"),
            ("C+", "C"),
            ("?!", "!"),
        ] {
            assert!(!are_alike(one, other), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn unseen_characters_are_found() {
        let unseen_signs = "0 7 a ad 34f 61c 115f 180e 200b 200d 202e 2060 2066 600 2028 2029 2800 fffc e000 \
                            378 fffb 1d159 10ffff 3164 fe0f feff ffa0 e0041 e0100";
        for number in unseen_signs.split_whitespace() {
            let sign = u32::from_str_radix(number, 16).ok().and_then(char::from_u32).unwrap();
            assert_eq!(unseen(&format!("A{sign}")), Some(sign), "{sign:?}");
            assert!(is_blank(&format!(" {sign}\u{301}")), "{sign:?}");
        }
        for name in ["Ada", "Zoë  QUILL", "李 雷", "राम की", "علي", "Łukasz", "🦊", "Mr. X", "O’Neil", "א\u{5b7}"]
        {
            assert_eq!(unseen(name), None, "{name}");
            assert!(!is_blank(name), "{name}");
        }
    }

    #[test]
    fn a_name_is_read_inside_another() {
        assert!(Likeness::of("Viktor (\u{430}1b2)").shows(&Likeness::of("a1b2")));
        assert!(!Likeness::of("Viktor").shows(&Likeness::of("a1b2")));
    }
}
