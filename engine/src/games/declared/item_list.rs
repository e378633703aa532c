//! Words in brackets, with ranges: `(a b 1..9 R1..R9)`. A list has one spelling: a row of three or more is a range.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scanner::{Scanner, Token};
use crate::Refusal;

const ITEMS_MAX: usize = 200;
const ITEM_MAX: usize = 24;

/// Letters and the number behind them, such as `R7`.
type Numbered<'t> = (&'t str, u32);

pub(super) fn read(words: &mut Scanner<'_>) -> Result<Vec<String>, Refusal> {
    words.requires("(")?;
    let mut items = Vec::new();
    while !words.take(")") {
        let token = words.next();
        match token.text.split_once("..") {
            Some(ends) => items.extend(range(token, ends)?),
            None => items.push(item(token)?.to_string()),
        }
        if items.len() > ITEMS_MAX {
            return Err(token.refuse(format!("expected at most {ITEMS_MAX} words in brackets")));
        }
    }
    if items.is_empty() { Err(words.refuse("expected a word in the brackets before this")) } else { Ok(items) }
}

/// As [`read`], of words that are all different.
pub(super) fn read_distinct(words: &mut Scanner<'_>) -> Result<Vec<String>, Refusal> {
    let before = words.peek();
    let items = read(words)?;
    let twice = items.iter().enumerate().find(|(n, item)| items.iter().take(*n).any(|other| other == *item));
    match twice {
        Some((_, item)) => Err(before.refuse("expected words that are all different").naming(item.as_str())),
        None => Ok(items),
    }
}

fn item<'t>(token: Token<'t>) -> Result<&'t str, Refusal> {
    let text = token.text;
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'\''));
    let begins = text.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '+' | '-'));
    let says = text.bytes().any(|byte| byte.is_ascii_alphanumeric()) && text.len() <= ITEM_MAX;
    let taken = ["none", "from"].contains(&text);
    if plain && begins && says && !taken {
        return Ok(text);
    }
    Err(token.refuse(format!(
        "expected a word of at most {ITEM_MAX} letters, digits or + - . ', not none or from, or a closing bracket"
    )))
}

fn range(token: Token<'_>, (low, high): (&str, &str)) -> Result<impl Iterator<Item = String>, Refusal> {
    let ends = numbered(low).zip(numbered(high));
    let ends = ends.filter(|((first, low), (second, high))| {
        first == second && low < high && usize::try_from(high - low).is_ok_and(|more| more < ITEMS_MAX)
    });
    let ((letters, low), (_, high)) = ends.ok_or_else(|| {
        token.refuse(format!("expected a range such as 1..9 or R1..R9, of at most {ITEMS_MAX} words"))
    })?;
    let letters = letters.to_string();
    Ok((low..=high).map(move |number| format!("{letters}{number}")))
}

fn numbered(text: &str) -> Option<Numbered<'_>> {
    let (letters, digits) = text.split_at_checked(text.find(|sign: char| sign.is_ascii_digit())?)?;
    let spelled = digits.len() <= 6 && (digits == "0" || !digits.starts_with('0'));
    let short = letters.len() + digits.len() <= ITEM_MAX && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
    digits.parse().ok().filter(|_| spelled && short).map(|number| (letters, number))
}

/// A list in its one spelling.
pub(super) fn written<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    let (mut parts, mut rest) = (Vec::new(), items.as_slice());
    while let Some((first, after)) = rest.split_first() {
        let row = row(rest);
        let last = rest.get(row.saturating_sub(1)).filter(|_| row > 2);
        parts.push(last.map_or_else(|| first.to_string(), |last| format!("{first}..{last}")));
        rest = last.map_or(after, |_| rest.get(row..).unwrap_or_default());
    }
    format!("({})", parts.join(" "))
}

/// The number of items at the beginning that count up by one.
fn row(items: &[&str]) -> usize {
    let Some((letters, start)) = items.first().and_then(|first| numbered(first)) else { return 1 };
    let counted = items.iter().zip(start..).take_while(|(item, number)| numbered(item) == Some((letters, *number)));
    counted.count()
}
