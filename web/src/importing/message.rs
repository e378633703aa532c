//! The lines of a chat put together to messages, with the rounds that head them.

use super::line::{Line, lone_name};
use super::naming::{How, Named};
use super::row::{Reading, Taken};
use super::speaker::Speakers;
use super::times::{is_dash, is_lone_time};
use super::vocabulary::Vocabulary;

/// What belongs together: the lines of one message.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    /// Who sent it, as it is written; empty where nobody is named before it.
    pub(super) name: String,
    /// Its lines: the row of each, and what it says.
    pub(super) parts: Vec<(usize, String)>,
    /// Rounds that its lines name by the way, each with its row.
    pub(super) asides: Vec<(usize, u32)>,
    /// Whether a time stands before it: somebody sent it then. Else it may be told by another.
    pub(super) timed: bool,
}

/// What comes in a chat, in order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A row that is headed by a round.
    Round(usize, Named),
    /// A message.
    Message(Message),
}

fn is_word(vocabulary: &Vocabulary, text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    vocabulary.words.iter().any(|word| *word == lower || (lower.len() > 2 && word.starts_with(&lower)))
}

/// The lines as messages and rounds.
pub(super) fn items(
    lines: &[(usize, &str)],
    speakers: &Speakers,
    vocabulary: &Vocabulary,
    short: bool,
    reading: &mut Reading,
) -> Vec<Item> {
    let (mut items, mut name, mut timed, mut message) = (Vec::new(), String::new(), false, Message::default());
    let close = |message: &mut Message, items: &mut Vec<Item>| {
        if !message.parts.is_empty() {
            items.push(Item::Message(std::mem::take(message)));
        }
    };
    let is_word = |word: &str| is_word(vocabulary, word);
    let mut rest = lines;
    while let Some(((at, text), behind)) = rest.split_first() {
        if let Some((by, heads)) = header(rest, speakers, is_word) {
            close(&mut message, &mut items);
            (name, timed) = (by, true);
            let (heads, behind) = rest.split_at_checked(heads).unwrap_or((rest, &[]));
            for (at, _) in heads {
                if let Some(row) = reading.rows.get_mut(*at) {
                    row.taken = Taken::Heading;
                }
            }
            rest = behind;
            continue;
        }
        rest = behind;
        let line = Line::read(text, speakers, is_word, short);
        let heading = line.round.filter(|named| named.how != How::Aside);
        if line.timed || heading.is_some() {
            close(&mut message, &mut items);
        }
        if let Some(named) = heading {
            items.push(Item::Round(*at, named));
        }
        let silent = line.said.iter().all(|(_, words)| words.is_empty());
        if let Some(row) = reading.rows.get_mut(*at).filter(|_| silent) {
            row.taken = Taken::Heading;
        }
        timed |= line.timed;
        for (by, words) in line.said {
            if let Some(by) = by {
                close(&mut message, &mut items);
                (name, timed) = (by, line.timed);
            }
            if !words.is_empty() {
                name.clone_into(&mut message.name);
                message.timed |= timed;
                message.parts.push((*at, words));
            }
        }
        if let Some(named) = line.round.filter(|named| named.how == How::Aside) {
            message.asides.push((*at, named.round));
        }
    }
    close(&mut message, &mut items);
    items
}

/// A name, a dash and a time on lines of their own, as they are copied too: whose message follows, and how many lines
/// say it. On two lines the name must be known: the upper may be the end of a message, and the lower a time without a name.
fn header(lines: &[(usize, &str)], speakers: &Speakers, is_word: impl Fn(&str) -> bool) -> Option<(String, usize)> {
    let [(_, name), (_, second), more @ ..] = lines else { return None };
    let count = match more {
        [(_, third), ..] if is_dash(second) && is_lone_time(third) => 3,
        _ if is_lone_time(second) => 2,
        _ => return None,
    };
    let name = lone_name(name, is_word)?;
    (count == 3 || speakers.knows(&name)).then_some((name, count))
}
