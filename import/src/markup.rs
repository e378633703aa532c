//! A line without the markup of forums, chats and terminals, without pictures, and without what its writer struck through.

use anstream::adapter::strip_str;

/// What programs put after a message that was changed.
const EDITED: [&str; 2] = ["(edited)", "<this message was edited>"];
/// Tags of forums around a text, in square brackets.
const TAGS: &str =
    "b i u s strike del color colour size font center left right url img spoiler code list * table tr td";
/// Tags around what is struck through.
const STRUCK: [(&str, &str); 3] = [("[s]", "[/s]"), ("[strike]", "[/strike]"), ("[del]", "[/del]")];
/// The longest name of a picture.
const PICTURE_MAX_BYTES: usize = 80;

/// A line without marks of writing, pictures and addresses of people. Suits and coloured circles become letters.
pub(crate) fn clean(line: &str) -> String {
    let mut text = without_tags(&strip_str(&without_struck(line)).to_string());
    for mark in ["**", "__", "||", "```", "`", "*", "\u{200b}", "\u{feff}", "\u{200e}", "\u{200f}", "\u{61c}"] {
        if text.contains(mark) {
            text = text.replace(mark, "");
        }
    }
    // Marks that turn the direction of writing, as chats put them around names.
    text.retain(|letter| !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches(['>', '•', '·', ' ', '\t']);
    // A list in Markdown.
    rest = rest.strip_prefix("- ").filter(|item| item.starts_with(char::is_alphabetic)).unwrap_or(rest);
    if rest.len() < text.len() && text.trim_start().starts_with('<') {
        rest = text.trim_start();
    }
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        if let Some(skipped) = picture(rest) {
            rest = rest.get(skipped..).unwrap_or_default();
            out.push(' ');
            continue;
        }
        match letter {
            '♣' | '♧' => join_suit(&mut out, 'C'),
            '♦' | '♢' => join_suit(&mut out, 'D'),
            '♥' | '♡' => join_suit(&mut out, 'H'),
            '♠' | '♤' => join_suit(&mut out, 'S'),
            '🔴' | '🟥' => out.push('R'),
            '🟢' | '🟩' => out.push('G'),
            '🔵' | '🟦' => out.push('B'),
            '\u{fe0f}' | '\u{fe0e}' | '\u{200d}' | '\u{20e3}' => {}
            '→' | '➡' => out.push('→'),
            '・' | '、' | '，' => out.push_str(", "),
            '–' => out.push('—'),
            '⚔' => out.push_str(" vs "),
            '：' => out.push(':'),
            letter if is_symbol(letter) => out.push(' '),
            letter => out.push(letter),
        }
        rest = after;
    }
    let out = out.trim_end();
    let lower = out.to_ascii_lowercase();
    let end = EDITED.iter().find_map(|edited| lower.strip_suffix(edited)).map_or(out.len(), str::len);
    let out = out.get(..end).unwrap_or(out);
    // A colour that stood a space before its number belongs to it.
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A suit belongs to the rank before it.
fn join_suit(out: &mut String, suit: char) {
    let kept = out.trim_end().len();
    out.truncate(kept);
    out.push(suit);
}

/// The length of a picture that is written out at the beginning of a text: `:torch:`, `<:torch:123>`, `<@123>`.
fn picture(text: &str) -> Option<usize> {
    if let Some(inside) =
        text.strip_prefix('<').filter(|inside| inside.starts_with([':', '@', '#']) || inside.starts_with("a:"))
    {
        let end = near(inside, b'>')?;
        let name = inside.get(..end)?;
        // Discord writes people as numbers; a name with such a sign before it is whose words follow.
        let named = name.strip_prefix('@').is_some_and(|name| name.contains(char::is_alphabetic));
        return (!named && !name.contains(' ')).then_some(end + 2);
    }
    let inside = text.strip_prefix(':')?;
    let end = near(inside, b':')?;
    let name = inside.get(..end)?;
    let shaped = name.len() > 1 && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-+".contains(letter));
    let ends = inside.get(end + 1..).and_then(|rest| rest.chars().next()).is_none_or(|next| !next.is_alphanumeric());
    (shaped && ends && name.chars().any(|letter| letter.is_ascii_alphabetic())).then_some(end + 2)
}

/// Where a mark stands, if it is near enough to end the name of a picture.
fn near(text: &str, mark: u8) -> Option<usize> {
    text.bytes().take(PICTURE_MAX_BYTES).position(|byte| byte == mark)
}

/// A line without the tags of forums.
fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        let end = near(behind, b']').unwrap_or(behind.len());
        let name =
            behind.get(..end).unwrap_or_default().trim_start_matches('/').split(['=', ' ']).next().unwrap_or_default();
        let is_tag = end < behind.len() && TAGS.split(' ').any(|tag| tag.eq_ignore_ascii_case(name));
        // A letter in brackets may be what a word names: "Bl[S]".
        let is_tag = is_tag && !(name.len() == 1 && out.ends_with(char::is_alphanumeric) && !behind.starts_with('/'));
        if !is_tag {
            out.push('[');
        }
        rest = if is_tag { behind.get(end + 1..).unwrap_or_default() } else { behind };
    }
    out.push_str(rest);
    out
}

/// A line without what its writer struck through.
fn without_struck(line: &str) -> String {
    let mut line = line.to_owned();
    for (open, close) in STRUCK {
        while let Some((before, (_, behind))) =
            line.split_once(open).and_then(|(before, rest)| Some((before, rest.split_once(close)?)))
        {
            line = format!("{before}{behind}");
        }
    }
    let mut parts = line.split("~~");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let parts: Vec<&str> = parts.collect();
    for (n, part) in parts.iter().enumerate() {
        // Two marks strike through what stands between them; a mark without another strikes nothing.
        if n % 2 == 1 || n + 1 == parts.len() {
            out.push_str(part);
        }
    }
    out
}

/// Arrows, dingbats, pictures.
const fn is_symbol(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{e0000}'..='\u{e007f}')
}
