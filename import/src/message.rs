//! The lines of a chat put together to messages, with the rounds that head them.

use std::collections::HashMap;

use super::clean::clean;
use super::fix::Who;
use super::line::{Line, is_badge, lone_name};
use super::naming::{How, Named};
use super::row::{Reading, Taken};
use super::speaker::Speakers;
use super::times::{DASHES, behind_day, is_dash, is_lone_time, minute, without_time};
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
    /// Whether its name stands at an earlier message, with a heading between: it may be nobody's then.
    pub(super) carried: bool,
    /// A lone line above the time of this message, which may be the name of somebody else who sent it.
    pub(super) perhaps: Option<String>,
}

/// What comes in a chat, in order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Round(usize, Named),
    Message(Message),
}

impl Item {
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let (head, parts) = match self {
            Self::Round(at, _) => (Some(*at), [].as_slice()),
            Self::Message(message) => (None, message.parts.as_slice()),
        };
        head.into_iter().chain(parts.iter().map(|(at, _)| *at))
    }
}

/// So many times have to be earlier than the one above for the newest to be on top.
const EARLIER_LEAST: usize = 3;

/// Pictures of having won.
const CUPS: [char; 5] = ['\u{1f3c6}', '\u{1f947}', '\u{1f451}', '\u{1f389}', '\u{1f3c5}'];

/// True if a text is a word of the game, or begins one.
pub(super) fn is_word(vocabulary: &Vocabulary, text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    vocabulary.words.iter().any(|word| *word == lower || (lower.len() > 2 && word.starts_with(&lower)))
}

pub(super) fn items(
    lines: &[(usize, &str)],
    speakers: &Speakers,
    vocabulary: &Vocabulary,
    short: bool,
    reading: &mut Reading,
) -> Vec<Item> {
    let mut messages = Messages { carried: true, ..Messages::default() };
    // Whoever stands behind a time on a line of its own more than once is a name.
    let mut behind_times: HashMap<&str, usize> = HashMap::new();
    for (_, line) in lines {
        if let (true, name) = without_time(line.trim()) {
            *behind_times.entry(name).or_default() += 1;
        }
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (at, line) in lines {
        first.entry(line.trim()).or_insert(*at);
    }
    let is_word = |word: &str| is_word(vocabulary, word);
    let (mut rest, mut quoted) = (lines, false);
    while let Some(((at, text), behind)) = rest.split_first() {
        let named = |name: &str| speakers.knows(name) || behind_times.get(name).is_some_and(|count| *count > 1);
        let above = behind_time(rest, named, is_word).map(|name| (name, 1));
        if let Some((by, heads)) = above.or_else(|| header(rest, speakers, is_word)) {
            let (heads, behind) = rest.split_at_checked(heads).unwrap_or((rest, &[]));
            messages.head(by, heads.iter().find_map(|(_, line)| minute(line)));
            heads.iter().for_each(|(at, _)| is_heading(reading, *at));
            rest = behind;
            continue;
        }
        rest = behind;
        // Below the word of a quote stands what somebody said before.
        let said_before = first.get(text.trim()).copied().filter(|before| before < at);
        quoted = text.trim().eq_ignore_ascii_case("quote:") || (quoted && said_before.is_some());
        if let Some(before) = said_before.filter(|_| quoted) {
            let line = reading.rows.get(before).map_or(0, |row| row.line);
            if let Some(row) = reading.rows.get_mut(*at) {
                (row.taken, row.words) = (Taken::LeftOut, format!("Quoted from line {line}"));
            }
            continue;
        }
        if messages.is_said() && is_reactions(text) {
            if let Some(row) = reading.rows.get_mut(*at) {
                (row.taken, row.words) = (Taken::LeftOut, "Reactions".to_owned());
            }
            continue;
        }
        let line = crowned(Line::read(text, speakers, is_word, short), text, speakers);
        let silent = line.words.is_empty();
        if silent {
            is_heading(reading, *at);
        }
        let nameless = line.name.is_none() && !silent;
        let lone = if nameless && line.round.is_none() { lone_name(text, is_word) } else { None };
        if line.timed {
            messages.begins(minute(text));
        }
        messages.add(*at, line, speakers, silent, lone);
    }
    messages.close();
    messages.in_order()
}

/// "Bo" and a cup alone: that Bo wins, and no heading.
fn crowned(line: Line, text: &str, speakers: &Speakers) -> Line {
    let is_alone = line.words.is_empty() && !line.timed && line.round.is_none() && text.contains(CUPS);
    match &line.name {
        Some(name) if is_alone && !text.contains(':') && speakers.who(name).and_then(Who::seat).is_some() => {
            let words = format!("{name} wins");
            Line { name: None, tells: true, words, ..line }
        }
        _ => line,
    }
}

/// Pictures with how many people chose each: "👍 4", ":eyes: 2", "👀 (4) 🔥 (2)". What stands for a suit or a colour is none.
fn is_reactions(line: &str) -> bool {
    let said = clean(line);
    let numbers = said.split_whitespace().all(|word| word.trim_matches(['(', ')']).parse::<u16>().is_ok());
    let pictures = line.split_whitespace().filter(|word| clean(word).is_empty()).count();
    numbers && pictures > 0 && said.split_whitespace().count() == pictures
}

/// The row only heads what follows.
fn is_heading(reading: &mut Reading, at: usize) {
    if let Some(row) = reading.rows.get_mut(at) {
        row.taken = Taken::Heading;
    }
}

/// The messages so far, and the one that the next line may belong to.
#[derive(Default)]
struct Messages {
    items: Vec<Item>,
    /// The items before each line with a time, and its minute of the day.
    times: Vec<(usize, u32)>,
    message: Message,
    /// The last name before a line.
    name: String,
    timed: bool,
    /// True if nobody is named since the last heading.
    carried: bool,
    /// The sender of the message under whose time the lines stand.
    sender: String,
    /// Whether the name of the sender is on a line of its own.
    headed: bool,
    /// Whether the last line was another player's, below such a name: the next one is the sender's again.
    beside: bool,
    /// The line before, where it could be a name.
    lone: Option<String>,
    /// The line above the time of what follows, where it could be a name.
    perhaps: Option<String>,
}

impl Messages {
    /// Whether something was said in the message so far.
    fn is_said(&self) -> bool {
        !self.message.parts.is_empty()
    }

    fn close(&mut self) {
        if !self.message.parts.is_empty() {
            self.items.push(Item::Message(std::mem::take(&mut self.message)));
        }
    }

    /// A line with a time: what follows was sent then.
    fn begins(&mut self, minute: Option<u32>) {
        self.close();
        self.times.extend(minute.map(|minute| (self.items.len(), minute)));
    }

    /// All items, the oldest first. A program that shows the newest on top is told from its times.
    fn in_order(self) -> Vec<Item> {
        let Self { mut items, times, .. } = self;
        let pairs = || times.windows(2).filter_map(|pair| Some((pair.first()?.1, pair.get(1)?.1)));
        let (later, earlier) = (pairs().filter(|(one, next)| one < next), pairs().filter(|(one, next)| one > next));
        let (later, earlier) = (later.count(), earlier.count());
        if earlier < EARLIER_LEAST || earlier < 4 * later {
            return items;
        }
        let mut blocks: Vec<Vec<Item>> =
            times.iter().rev().map(|(from, _)| items.split_off((*from).min(items.len()))).collect();
        // What stands above all times stays there.
        blocks.insert(0, items);
        blocks.into_iter().flatten().collect()
    }

    /// A name and a time on lines of their own.
    fn head(&mut self, by: String, minute: Option<u32>) {
        self.begins(minute);
        (self.lone, self.perhaps) = (None, None);
        by.clone_into(&mut self.sender);
        (self.name, self.timed, self.carried) = (by, true, false);
        (self.headed, self.beside) = (true, false);
    }

    fn add(&mut self, at: usize, line: Line, speakers: &Speakers, silent: bool, lone: Option<String>) {
        let heading = line.round.filter(|named| named.how != How::Aside);
        if line.timed || heading.is_some() {
            self.close();
        }
        if let Some(named) = heading {
            self.items.push(Item::Round(at, named));
            self.carried = true;
        }
        self.timed |= line.timed;
        let before = std::mem::replace(&mut self.lone, lone);
        if line.timed {
            self.perhaps = before.filter(|_| silent && heading.is_none());
        }
        let aside = line.round.filter(|named| named.how == How::Aside);
        self.say(at, line, speakers);
        if let Some(named) = aside {
            self.message.asides.push((at, named.round));
        }
    }

    /// What is said on a line, by whoever is named there or before.
    fn say(&mut self, at: usize, line: Line, speakers: &Speakers) {
        let is_seat = |name: &str| speakers.who(name).and_then(Who::seat).is_some();
        let Line { timed, name, tells, mut words, .. } = line;
        let reporter = !self.sender.is_empty() && !is_seat(&self.sender);
        match name {
            // Below the name and time of somebody who is no player, a player's name is told by that one.
            Some(name) if !timed && reporter && is_seat(&name) => {
                if !words.is_empty() {
                    words = format!("{name}: {words}");
                }
                self.goes_back_to_sender();
            }
            // Nobody else speaks there, once both players are known.
            Some(name) if !timed && reporter && speakers.initials().len() == 2 && !speakers.knows(&name) => {
                words = format!("{name}: {words}");
                self.goes_back_to_sender();
            }
            // "f: 2C 3D" below the name and time of a player is a part of the answer.
            Some(name) if !timed && self.timed && name.chars().count() == 1 && !speakers.knows(&name) => {
                words = format!("{name}: {words}");
            }
            Some(name) => {
                self.close();
                self.beside = self.headed && !timed && !words.is_empty() && is_seat(&name) && name != self.sender;
                (self.name, self.timed, self.carried, self.perhaps) = (name, timed, false, None);
                if self.timed {
                    self.name.clone_into(&mut self.sender);
                    self.headed = words.is_empty();
                }
            }
            None if self.beside => self.goes_back_to_sender(),
            None if tells && reporter => self.goes_back_to_sender(),
            None if tells && !self.timed => {
                // Nobody says this, or nobody knows who.
                self.close();
                self.name.clear();
            }
            None => {}
        }
        if !words.is_empty() {
            self.name.clone_into(&mut self.message.name);
            self.message.timed |= self.timed;
            self.message.carried = self.carried;
            self.message.perhaps.clone_from(&self.perhaps);
            self.message.parts.push((at, words));
        }
    }

    fn goes_back_to_sender(&mut self) {
        (self.perhaps, self.beside) = (None, false);
        if self.name != self.sender {
            self.close();
            self.sender.clone_into(&mut self.name);
        }
        self.timed = true;
    }
}

/// A time and a name on a line of their own, above a message: "20:56  Black".
fn behind_time(
    lines: &[(usize, &str)],
    named: impl Fn(&str) -> bool,
    is_word: impl Fn(&str) -> bool,
) -> Option<String> {
    let ((_, line), behind) = lines.split_first()?;
    let (true, name) = without_time(line.trim()) else { return None };
    let below = behind.first().is_some_and(|(_, below)| !without_time(below.trim()).0);
    if below && named(name) && !name.ends_with(':') { lone_name(name, is_word) } else { None }
}

/// A name and a time on lines of their own, as they are copied too, with a dash and a program's mark between them: whose
/// message follows, and how many lines say it. Some programs write both on one line, `[05/01/2021 8:41 PM] Black`, with the
/// message below it. Without a dash the name must be known: the upper line may be the end of a
/// message, and the lower a time without a name.
fn header(lines: &[(usize, &str)], speakers: &Speakers, is_word: impl Fn(&str) -> bool) -> Option<(String, usize)> {
    let ((_, name), behind) = lines.split_first()?;
    let below = behind.first().is_some_and(|(_, below)| !without_time(below.trim()).0);
    if let Some(name) = behind_day(name).filter(|name| below && Named::read(name, true).is_none()) {
        let name = lone_name(name.trim_end_matches("(pinned)"), is_word)?;
        return Some((name, 1));
    }
    let marks = usize::from(behind.first().is_some_and(|(_, line)| is_badge(line)));
    let (count, dashed) = match behind.get(marks..)? {
        [(_, second), (_, third), ..] if is_dash(second) && is_lone_time(third) => (3, true),
        [(_, second), ..] if is_lone_time(second) => (2, second.trim_start().starts_with(DASHES)),
        _ => return None,
    };
    let name = lone_name(name, is_word)?;
    (dashed || speakers.knows(&name)).then_some((name, count + marks))
}
