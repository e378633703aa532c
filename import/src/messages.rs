//! The messages of a chat: who sent what, in the order of their times.

use std::collections::HashMap;

use super::client_formats::{ClientFormats, is_own};
use super::layout_pattern::Header;
use super::markup::clean;
use super::preview::{Reading, Taken};
use super::speakers::Speakers;
use super::timestamps::{Clock, Order, clock, day};

/// Lines above what somebody quotes.
const QUOTES: [&str; 2] = ["quote:", "original message:"];
/// In seconds.
const DAY: i64 = 24 * 60 * 60;
/// A program that shows the newest message on top has at most one of so many steps forwards.
const FORWARD_MOST: usize = 4;

/// What somebody sent at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// Empty where nobody is named.
    pub(crate) name: String,
    /// True if it is written in the site's own words, such as `p1: score`.
    pub(crate) is_own: bool,
    /// Its lines: the row of each, and the text.
    pub(crate) parts: Vec<(usize, String)>,
    time: Option<String>,
}

/// The messages of these lines, each with its row. Rows that only head others are marked; the notes say how times were read.
pub(crate) fn messages(
    lines: &[(usize, &str)],
    speakers: &Speakers,
    is_word: &dyn Fn(&str) -> bool,
    reading: &mut Reading,
) -> Vec<Message> {
    let cleaned: Vec<String> = lines.iter().map(|(_, line)| clean(line)).collect();
    let texts: Vec<&str> = cleaned.iter().map(String::as_str).collect();
    let formats = ClientFormats::find(&texts, speakers, is_word);
    reading.is_unknown = formats.is_unknown;
    let mut quotes = Quotes::default();
    let mut all: Vec<Message> = Vec::new();
    let mut at = 0;
    // A line without a name belongs to the message above it, where a program writes a time or a name above each.
    let mut open = false;
    while let Some((row, source)) = lines.get(at) {
        let rest = texts.get(at..).unwrap_or_default();
        let text = rest.first().copied().unwrap_or_default();
        let mut mark = |from: usize, count: usize, taken: Taken| {
            let rows = lines.get(from..from + count).unwrap_or_default();
            rows.iter().filter_map(|(row, _)| reading.rows.get_mut(*row).map(|row| row.taken = taken)).count()
        };
        if quotes.has(source, text) || text.is_empty() {
            mark(at, 1, Taken::LeftOut);
        } else if let Some(header) = formats.header(rest) {
            let Header { time, name, text, lines: count, is_notice } = header;
            if is_notice {
                mark(at, count, Taken::LeftOut);
                at += count;
                continue;
            }
            let own = name.filter(|name| is_own(name) && time.is_none());
            let name = name.or(all.last().map(|last| last.name.as_str())).unwrap_or_default().to_owned();
            let parts: Vec<_> =
                text.filter(|text| !text.is_empty()).map(|text| (*row, text.to_owned())).into_iter().collect();
            open = own.is_none() && (time.is_some() || text.is_none_or(str::is_empty));
            if parts.is_empty() {
                mark(at, count, Taken::Heading);
            }
            all.push(Message { name, is_own: own.is_some(), parts, time: time.map(str::to_owned) });
            at += count;
            continue;
        } else {
            match all.last_mut().filter(|_| open) {
                Some(message) => message.parts.push((*row, text.to_owned())),
                None => all.push(Message { parts: vec![(*row, text.to_owned())], ..Message::default() }),
            }
        }
        at += 1;
    }
    in_order(all, &mut reading.notes)
}

/// What is quoted, between tags or below such a line.
#[derive(Default)]
struct Quotes {
    between_tags: bool,
    below: bool,
    seen: HashMap<String, usize>,
}

impl Quotes {
    fn has(&mut self, source: &str, text: &str) -> bool {
        let lower = source.to_ascii_lowercase();
        let opens = lower.contains("[quote");
        let tagged = self.between_tags || opens;
        self.between_tags = tagged && !lower.contains("[/quote]");
        let heads = QUOTES.contains(&text.to_ascii_lowercase().as_str());
        let said_before = self.seen.insert(text.to_owned(), 0).is_some();
        self.below = heads || (self.below && said_before);
        tagged || self.below
    }
}

/// The time of a message in seconds, with those of its day where it has one, and whether it says which half of a day that is.
fn seconds(time: &str, order: Order) -> Option<(Option<i64>, i64, bool)> {
    let Clock::At(seconds, halved) = clock(time)? else { return None };
    let days = day(time, order).and_then(|day| {
        let mut parts = day.split('-').map(|part| part.parse::<i64>().unwrap_or_default());
        Some((parts.next()? * 13 + parts.next()?) * 32 + parts.next()?)
    });
    Some((days.map(|days| days * DAY), i64::from(seconds), halved))
}

/// Puts messages into the order of their times; one without stays behind the one above it.
fn in_order(mut all: Vec<Message>, notes: &mut Vec<String>) -> Vec<Message> {
    let times: Vec<(usize, String)> =
        all.iter().enumerate().filter_map(|(at, message)| Some((at, message.time.clone()?))).collect();
    if let Some((_, unread)) = times.iter().find(|(_, time)| seconds(time, Order::DayFirst).is_none()) {
        notes.push(format!(
            "The times, such as “{unread}”, cannot be read: the lines are taken in the order in which they stand."
        ));
        return all;
    }
    let halved = times.iter().any(|(_, time)| seconds(time, Order::DayFirst).is_some_and(|(_, _, halved)| halved));
    let keys = |order: Order| -> Vec<i64> {
        let mut before: Option<i64> = None;
        let key = |(_, time): &(usize, String)| {
            let (day, seconds, says_half) = seconds(time, order).unwrap_or_default();
            let turn = if halved && !says_half { DAY / 2 } else { DAY };
            let at = match before.filter(|_| day.is_none()) {
                // A clock that says no day goes on from the one above it, or some hours back, as where another channel begins.
                Some(before) => before - turn / 3 + (seconds - before + turn / 3).rem_euclid(turn),
                None => day.unwrap_or_default() + seconds,
            };
            before = Some(at);
            at
        };
        times.iter().map(key).collect()
    };
    let backward = |keys: &[i64]| keys.windows(2).filter(|pair| pair.first() > pair.last()).count();
    let either = [Order::DayFirst, Order::MonthFirst].map(keys);
    let keys = either.iter().min_by_key(|keys| backward(keys)).cloned().unwrap_or_default();
    let forward = keys.windows(2).filter(|pair| pair.first() < pair.last()).count();
    if backward(&keys) == 0 {
        return all;
    }
    // What stands above all times stays there.
    let mut blocks: Vec<Vec<Message>> = times.iter().rev().map(|(from, _)| all.split_off(*from)).collect();
    blocks.reverse();
    let mut blocks: Vec<(i64, Vec<Message>)> = keys.iter().copied().zip(blocks).collect();
    if backward(&keys) >= FORWARD_MOST * forward {
        blocks.reverse();
    }
    blocks.sort_by_key(|(key, _)| *key);
    notes.push("The lines are taken in the order of their times.".to_owned());
    all.extend(blocks.into_iter().flat_map(|(_, block)| block));
    all
}
