//! Text from others, prepared for a picture: cleaned, measured, shortened, broken into lines.

use crate::font::{Weight, advance, is_known};

/// The most characters that are drawn: more would not fit at any size.
const MOST: usize = 600;

/// The most marks above and below one letter; others would run over other lines.
const MARKS: usize = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) size: i32,
    pub(crate) weight: Weight,
}

impl Style {
    pub(crate) const fn medium(size: i32) -> Self {
        Self { size, weight: Weight::Medium }
    }

    pub(crate) const fn bold(size: i32) -> Self {
        Self { size, weight: Weight::Bold }
    }

    pub(crate) fn width(self, text: &str) -> i32 {
        self.pixels(text.chars().map(|sign| self.thousandths(sign)).sum())
    }

    fn thousandths(self, sign: char) -> i64 {
        if is_mark(sign) { 0 } else { i64::from(advance(sign, self.weight)) }
    }

    fn pixels(self, thousandths: i64) -> i32 {
        i32::try_from((thousandths * i64::from(self.size) + 999) / 1000).unwrap_or(i32::MAX)
    }
}

/// The text on one line, without control characters (directions and joiners too) and characters that XML cannot
/// contain.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut marks = 0;
    for sign in text.chars().take(MOST) {
        if sign.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !steers(sign) {
            marks = if is_mark(sign) { marks + 1 } else { 0 };
            // A mark that the font lacks would be drawn as a box.
            if marks == 0 || (marks <= MARKS && is_known(sign)) {
                out.push(sign);
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn steers(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
        || (sign as u32) & 0xfffe == 0xfffe
}

const fn is_mark(sign: char) -> bool {
    matches!(sign,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

pub(crate) fn fit(text: &str, style: Style, room: i32) -> String {
    if style.width(text) <= room {
        return text.to_owned();
    }
    let (mut out, mut taken) = (String::new(), style.thousandths('\u{2026}'));
    for sign in text.chars() {
        taken += style.thousandths(sign);
        if style.pixels(taken) > room {
            break;
        }
        out.push(sign);
    }
    out.truncate(out.trim_end_matches([' ', ',', '.', ':']).len());
    out.push('\u{2026}');
    out
}

/// The text in lines of this width. A word that is longer than a line is broken.
pub(crate) fn wrap(text: &str, style: Style, room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if style.width(&longer) <= room {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for sign in word.chars() {
            line.push(sign);
            if style.width(&line) > room && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, sign.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The first of these lines; the last of them shows that more follows.
pub(crate) fn first(mut lines: Vec<String>, most: usize, style: Style, room: i32) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last} \u{2026}\u{2026}"), style, room).replace("\u{2026}\u{2026}", "\u{2026}");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style::medium(40);

    #[test]
    fn what_steers_is_taken_out() {
        assert_eq!(plain("  Ad\u{202e}a\n\t Lovelace\u{0}\u{200d}\u{feff} "), "Ada Lovelace");
        assert_eq!(plain("Z\u{300}\u{301}\u{302}\u{303}x"), "Z\u{300}\u{301}x");
        assert_eq!(plain("\u{fffe}\u{ffff}\u{1fffe}"), "");
        assert_eq!(plain(&"x".repeat(10_000)).len(), MOST);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(fit("Ada", STYLE, 400), "Ada");
        let cut = fit(&"Wanda ".repeat(40), STYLE, 300);
        assert!(cut == "Wanda Wand\u{2026}" && STYLE.width(&cut) <= 300, "{cut}");
    }

    #[test]
    fn lines_have_their_room() {
        let lines = wrap(&format!("Ada takes {} and two chips", "W".repeat(50)), STYLE, 300);
        assert!(lines.len() > 4 && lines.iter().all(|line| STYLE.width(line) <= 300), "{lines:?}");
        let two = first(lines, 2, STYLE, 300);
        assert!(two.len() == 2 && two[1].ends_with('\u{2026}') && STYLE.width(&two[1]) <= 300, "{two:?}");
        assert!(wrap("", STYLE, 300).is_empty());
    }
}
