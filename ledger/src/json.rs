//! A strict reader of the JSON subset of bodies. It checks and measures; it never rewrites a byte.
//!
//! RFC 8259, with more limits: no duplicate key in any object (compared after unescaping), only integers that every
//! JSON reader stores exactly (RFC 7493, section 2.2), no lone surrogates, at most 64 levels. A general library does
//! not check these, or lets a Cargo feature of some other crate decide; the bytes of a record may not depend on that.

use std::borrow::Cow;
use std::collections::BTreeSet;

use thiserror::Error;

/// The largest integer without loss in a reader that stores numbers as IEEE doubles: 2^53 - 1.
const INTEGER_MAX: u64 = (1 << 53) - 1;
const DEPTH_MAX: usize = 64;

/// The reason why a text is not an object of this subset. Positions are bytes from the start of the entry, or of the
/// body alone if it is not in an entry yet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonFault {
    /// Not JSON at all.
    #[error("byte {at}: this is not JSON")]
    Syntax {
        /// The position at which reading stopped.
        at: usize,
    },
    /// JSON, but not an object.
    #[error("byte {at}: a body is a JSON object")]
    NotAnObject {
        /// The position at which the object should start.
        at: usize,
    },
    /// A key occurs twice in one object.
    #[error("byte {at}: the key {key:?} stands here a second time")]
    DuplicateKey {
        /// The position of the second one.
        at: usize,
        /// The key, unescaped.
        key: String,
    },
    /// A fraction, an exponent, minus zero, or an integer beyond 2^53 - 1.
    #[error("byte {at}: numbers are integers between -9007199254740991 and 9007199254740991")]
    NotAnInteger {
        /// The position of the number.
        at: usize,
    },
    /// More than 64 nested objects and arrays.
    #[error("byte {at}: more than 64 levels")]
    TooDeep {
        /// The position of the 65th.
        at: usize,
    },
}

pub(crate) fn object_end(text: &str, start: usize) -> Result<usize, JsonFault> {
    let mut scanner = Scanner { text, at: start, depth: 0 };
    if scanner.peek() != Some(b'{') {
        return Err(JsonFault::NotAnObject { at: start });
    }
    scanner.value()?;
    Ok(scanner.at)
}

/// The keys of an object so far. Most objects have a few keys, which are compared one by one; a hostile one may have
/// thousands.
#[derive(Default)]
struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    many: BTreeSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    const FEW: usize = 16;

    fn repeats(&mut self, key: Cow<'a, str>) -> Option<Cow<'a, str>> {
        if self.few.contains(&key) || self.many.contains(&key) {
            return Some(key);
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        None
    }
}

fn plain(rest: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, ..0x20 | b'"' | b'\\');
    // Whole blocks at once, which is faster than byte for byte: most strings are hashes.
    let (blocks, _) = rest.as_chunks::<16>();
    let skipped =
        16 * blocks.iter().take_while(|block| !block.iter().fold(false, |any, byte| any | ends(byte))).count();
    let rest = rest.get(skipped..).unwrap_or_default();
    skipped + rest.iter().position(ends).unwrap_or(rest.len())
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonFault> {
        if self.take(byte) { Ok(()) } else { Err(self.syntax()) }
    }

    const fn syntax(&self) -> JsonFault {
        JsonFault::Syntax { at: self.at }
    }

    /// Of JSON's white space only the space can occur: an entry contains no control characters.
    fn spaces(&mut self) {
        while self.take(b' ') {}
    }

    fn value(&mut self) -> Result<(), JsonFault> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.name(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<(), JsonFault>) -> Result<(), JsonFault> {
        if self.depth == DEPTH_MAX {
            return Err(JsonFault::TooDeep { at: self.at });
        }
        self.at += 1;
        self.depth += 1;
        self.spaces();
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn object(&mut self) -> Result<(), JsonFault> {
        let mut keys = Keys::default();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let at = self.at;
            let key = self.string()?;
            if let Some(key) = keys.repeats(key) {
                return Err(JsonFault::DuplicateKey { at, key: key.into_owned() });
            }
            self.spaces();
            self.expect(b':')?;
            self.spaces();
            self.value()?;
            self.spaces();
            if self.take(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
            self.spaces();
        }
    }

    fn array(&mut self) -> Result<(), JsonFault> {
        if self.take(b']') {
            return Ok(());
        }
        loop {
            self.value()?;
            self.spaces();
            if self.take(b']') {
                return Ok(());
            }
            self.expect(b',')?;
            self.spaces();
        }
    }

    /// Reads and unescapes a string. It is copied only if there is an escape.
    fn string(&mut self) -> Result<Cow<'a, str>, JsonFault> {
        self.expect(b'"')?;
        let mut unescaped: Option<String> = None;
        loop {
            let start = self.at;
            let rest = self.text.as_bytes().get(start..).unwrap_or_default();
            self.at += plain(rest);
            // Both ends are ASCII characters or the ends of the text, so this slice never splits a character.
            let plain = self.text.get(start..self.at).ok_or(self.syntax())?;
            if self.take(b'"') {
                return Ok(match unescaped {
                    None => Cow::Borrowed(plain),
                    Some(text) => Cow::Owned(text + plain),
                });
            }
            self.expect(b'\\')?;
            let text = unescaped.get_or_insert_default();
            text.push_str(plain);
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, JsonFault> {
        let start = self.at;
        let byte = self.peek().ok_or(self.syntax())?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                let pair = match first {
                    0xd800..=0xdbff if self.take(b'\\') && self.take(b'u') => {
                        vec![first, self.hex4()?]
                    }
                    _ => vec![first],
                };
                let mut read = char::decode_utf16(pair);
                match (read.next(), read.next()) {
                    (Some(Ok(character)), None) => character,
                    _ => return Err(JsonFault::Syntax { at: start }),
                }
            }
            _ => return Err(JsonFault::Syntax { at: start }),
        })
    }

    fn hex4(&mut self) -> Result<u16, JsonFault> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(self.syntax())?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.syntax());
        }
        let unit = u16::from_str_radix(digits, 16).map_err(|_| self.syntax())?;
        self.at += 4;
        Ok(unit)
    }

    fn number(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        let negative = self.take(b'-');
        let digits_start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = self.text.get(digits_start..self.at).unwrap_or_default();
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(JsonFault::Syntax { at: digits_start });
        }
        let fits = digits.parse::<u64>().is_ok_and(|number| number <= INTEGER_MAX);
        let float = matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if float || !fits || (negative && digits == "0") {
            return Err(JsonFault::NotAnInteger { at: start });
        }
        Ok(())
    }

    fn name(&mut self) -> Result<(), JsonFault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        for name in ["true", "false", "null"] {
            if rest.starts_with(name) {
                self.at += name.len();
                return Ok(());
            }
        }
        Err(self.syntax())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn measures_an_object_and_leaves_the_rest() {
        for text in [
            r#"{}"#,
            r#"{ }"#,
            r#"{"a":1,"b":[true,false,null,-7,0,9007199254740991],"c":{"a":"é"}}"#,
            r#"{"a" : [ 1 , { } , [ ] ]}"#,
            r#"{"\u0061":"\ud83d\ude00\n\"\\\/","b":""}"#,
        ] {
            assert_eq!(object_end(text, 0), Ok(text.len()), "{text}");
            assert_eq!(object_end(&format!("ab{text}cd"), 2), Ok(text.len() + 2), "{text}");
        }
    }

    #[test]
    fn strings_of_every_length_end_where_they_end() {
        for length in 0..70 {
            let text = "é".repeat(length / 3) + &"a".repeat(length - length / 3);
            let object = format!("{{\"a\":\"{text}\",\"b\":\"{text}\\n{text}\"}}");
            assert_eq!(object_end(&object, 0), Ok(object.len()), "{length}");
            let broken = format!("{{\"a\":\"{text}\u{1}{text}\"}}");
            assert_eq!(object_end(&broken, 0), Err(JsonFault::Syntax { at: 6 + text.len() }), "{length}");
            let open = format!("{{\"a\":\"{text}");
            assert_eq!(object_end(&open, 0), Err(JsonFault::Syntax { at: open.len() }), "{length}");
        }
    }

    #[test]
    fn a_key_is_found_again_among_any_number_of_others() {
        for keys in [2_usize, 15, 16, 17, 40, 1_000] {
            for again in [0, keys / 2, keys - 1] {
                let names = (0..keys).chain([again]);
                let text = names.map(|n| format!("\"k{n}\":0")).collect::<Vec<_>>().join(",");
                let fault = object_end(&format!("{{{text}}}"), 0).unwrap_err();
                let at = text.rfind(",\"").unwrap() + 2;
                assert_eq!(fault, JsonFault::DuplicateKey { at, key: format!("k{again}") }, "{keys} keys");
            }
        }
    }

    proptest! {
        /// Every text accepted here is JSON to a library, too.
        #[test]
        fn never_laxer_than_serde_json(text in r#"\{("[ab\\u0061]{0,8}":[-0-9.eE\[\]{}", tru]{0,12},?){0,3}\}"#) {
            if object_end(&text, 0) == Ok(text.len()) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
            }
        }

        /// Texts that a library writes without floats and large integers are accepted.
        #[test]
        fn reads_what_serde_json_writes(
            map in prop::collection::btree_map(".*", (any::<i32>(), ".*", any::<bool>()), 0..5),
        ) {
            let text = serde_json::to_string(&map).unwrap();
            prop_assert_eq!(object_end(&text, 0), Ok(text.len()));
        }
    }
}
