//! Whoever goes through a chat and tells the match from the talk.

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::fix::{Does, Fix, Who};
use super::hearing::{Heard, Hearing, refusal};
use super::nearest::nearest;
use super::row::{Row, Taken};
use super::speaker::Speakers;

/// What belongs together: the lines of one message.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    /// Who sent it, as it is written; empty where nobody is named before it.
    pub(super) name: String,
    /// Its lines: the row of each, and what it says.
    pub(super) parts: Vec<(usize, String)>,
}

/// What comes in a chat, in order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A row that names a round.
    Round(usize, u32),
    /// A message.
    Message(Message),
}

/// A match as it comes out of a chat, message by message.
pub(super) struct Listener<'r> {
    pub(super) hearing: Hearing,
    pub(super) speakers: Speakers,
    pub(super) rows: &'r mut Vec<Row>,
    pub(super) strangers: &'r mut Vec<String>,
    /// The players, as far as they are known.
    pub(super) names: &'r mut BySeat<String>,
}

impl Listener<'_> {
    /// Takes what comes next; false where something is wrong with it, and nothing after it can be judged.
    pub(super) fn takes(&mut self, item: &Item) -> bool {
        match item {
            Item::Round(at, round) => self.round(*at, *round),
            Item::Message(message) => self.message(message),
        }
    }

    fn message(&mut self, message: &Message) -> bool {
        let who = self.speakers.who(&message.name);
        if let Some(seat) = who.and_then(Who::seat) {
            // Somebody of whom only another name is known is called by that.
            if self.names[seat].is_empty() && !Speakers::everywhere().knows(&message.name) {
                self.names[seat].clone_from(&message.name);
                self.hearing.call(seat, &message.name);
            }
            return self.seat(seat, message);
        }
        match who {
            Some(Who::Host) => self.host(message),
            Some(_) => true,
            None => self.stranger(message),
        }
    }

    fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    fn round(&mut self, at: usize, round: u32) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        if round <= coming || self.hearing.duel().outcome().is_over() {
            return true;
        }
        let (missing, names) = (self.hearing.missing(), self.hearing.names().map(str::to_owned));
        let Some(row) = self.row(at) else { return true };
        let source = row.source.clone();
        match missing {
            Some((seat, _)) => {
                let name = &names[seat];
                row.refuse(&format!("{name}’s move for round {coming} is missing before this"));
                let now = vec![format!("{name}: -"), source.clone()];
                row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, now));
            }
            None => {
                row.refuse(&format!("round {coming} is missing before this"));
                let now = vec![format!("{}: -", names.p1), format!("{}: -", names.p2), source.clone()];
                row.fixes.push(Fix::line("Nothing came from both", row.line, &source, now));
            }
        }
        row.fixes.push(Fix::ignore(row.line, &source));
        false
    }

    fn seat(&mut self, seat: Seat, message: &Message) -> bool {
        let vocabulary = self.hearing.vocabulary(seat.into());
        let joined: Vec<&str> = message.parts.iter().map(|(_, words)| words.as_str()).collect();
        let lines: Vec<usize> = message.parts.iter().map(|(at, _)| *at).collect();
        let first = lines.first().copied().unwrap_or(0);
        if message.parts.len() > 1 {
            // All of it is one move, or all of it that sounds like one.
            let sounding: Vec<&(usize, String)> =
                message.parts.iter().filter(|(_, words)| vocabulary.sounds(words)).collect();
            let some: Vec<&str> = sounding.iter().map(|(_, words)| words.as_str()).collect();
            let at: Vec<usize> = sounding.iter().map(|(at, _)| *at).collect();
            for (text, lines) in [(joined.join(" "), &lines), (some.join(" "), &at)] {
                let line = self.rows.get(lines.first().copied().unwrap_or(first)).map_or(0, |row| row.line);
                if let Some(heard) = self.hearing.seat(seat, &text, line).ok().filter(|_| !lines.is_empty()) {
                    self.heard(lines, heard);
                    return true;
                }
            }
        }
        message.parts.iter().all(|(at, words)| {
            let line = self.rows.get(*at).map_or(0, |row| row.line);
            match self.hearing.seat(seat, words, line) {
                Ok(heard) => {
                    self.heard(&[*at], heard);
                    true
                }
                Err(refusal) => {
                    // A rule that refuses it, or words that are nearly the game's: it was meant as a move.
                    let meant = vocabulary.sounds(words) || refusal.rule.is_some();
                    !(meant && self.hearing.is_asked(seat.into()))
                        || self.refuse(*at, seat, &message.name, words, &refusal)
                }
            }
        })
    }

    /// Marks the rows of what was heard. A row that holds more than one move says all of them.
    fn heard(&mut self, rows: &[usize], heard: Heard) {
        let standing = self.hearing.standing();
        let Some((first, others)) = rows.split_first() else { return };
        let first_line = self.rows.get(*first).map_or(0, |row| row.line);
        for at in others {
            if let Some(row) = self.rows.get_mut(*at) {
                row.taken = Taken::With(first_line);
            }
        }
        if let Heard::Half(_, Some(before)) = &heard
            && let Some(row) = self.rows.iter_mut().find(|row| row.line == *before && *before != first_line)
        {
            (row.taken, row.words) = (Taken::LeftOut, format!("Replaced on line {first_line}"));
        }
        let Some(row) = self.row(*first) else { return };
        let (taken, words) = match heard {
            Heard::Half(words, _) => (Taken::Half, words),
            Heard::Step(words) => (Taken::Step, words),
        };
        if row.taken == Taken::Half {
            row.words = format!("{}; {words}", row.words);
        } else {
            row.words = words;
        }
        row.taken = taken;
        if taken == Taken::Step {
            row.standing = standing;
        }
    }

    fn refuse(&mut self, at: usize, seat: Seat, name: &str, words: &str, why: &Refusal) -> bool {
        let near = nearest(self.hearing.duel(), seat.into(), words);
        let expected = name_seats(&why.expected, self.hearing.names());
        let rule = why.rule.map_or_else(String::new, |rule| format!(" (rule {rule})"));
        let Some(row) = self.row(at) else { return false };
        row.refuse(&format!("{expected}{rule}"));
        let source = row.source.clone();
        if let Some(wrong) = row.wrong.as_mut().filter(|_| !why.found.is_empty())
            && let Some((before, after)) = source.split_once(why.found.as_str())
        {
            (wrong.before, wrong.after) = (before.to_owned(), after.to_owned());
            wrong.found.clone_from(&why.found);
        }
        for near in near {
            let now = vec![format!("{name}: {near}")];
            row.fixes.push(Fix::line(format!("{name}: {near}"), row.line, &source, now));
        }
        let nothing = vec![format!("{name}: -")];
        row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, nothing));
        row.fixes.push(Fix::ignore(row.line, &source));
        false
    }

    /// What the host or the umpire says: a decision, a draw, or a line of the notation; all else is talk.
    fn host(&mut self, message: &Message) -> bool {
        let vocabulary = self.hearing.vocabulary(Party::Host);
        message.parts.iter().all(|(at, words)| {
            let decision = words.to_lowercase().starts_with("result ");
            let heard = if decision {
                self.hearing.play(&format!("umpire: {words}"))
            } else if self.hearing.is_asked(Party::Host) {
                self.hearing.host(words)
            } else {
                return true;
            };
            match heard {
                Ok(heard) => {
                    self.heard(&[*at], heard);
                    true
                }
                Err(why) if decision || vocabulary.sounds(words) => {
                    let expected = name_seats(&why.expected, self.hearing.names());
                    if let Some(row) = self.rows.get_mut(*at) {
                        row.refuse(&expected);
                        let source = row.source.clone();
                        row.fixes.push(Fix::ignore(row.line, &source));
                    }
                    false
                }
                Err(_) => true,
            }
        })
    }

    /// Somebody who is not known: a question where it sounds like a move, and talk where it does not.
    fn stranger(&mut self, message: &Message) -> bool {
        let joint = |words: &str| {
            words.split_once('.').is_some_and(|(n, moves)| n.parse::<u32>().is_ok() && moves.contains('/'))
        };
        if let [(at, words)] = message.parts.as_slice()
            && joint(words)
            && let Ok(heard) = self.hearing.play(words)
        {
            self.heard(&[*at], heard);
            return true;
        }
        let sounds = |seat: Seat, words: &str| self.hearing.vocabulary(seat.into()).sounds(words);
        let sounding = message.parts.iter().find(|(_, words)| Seat::BOTH.into_iter().any(|seat| sounds(seat, words)));
        if message.name.is_empty() {
            let Some((at, words)) = sounding else { return true };
            let why = refusal(words, "nobody is named before this: write a name and a colon in front of it");
            let names = self.hearing.names().map(str::to_owned);
            if let Some(row) = self.rows.get_mut(*at) {
                row.refuse(&why.expected);
                let source = row.source.clone();
                for (_, name) in names.each() {
                    let now = vec![format!("{name}: {words}")];
                    row.fixes.push(Fix::line(format!("{name} said this"), row.line, &source, now));
                }
                row.fixes.push(Fix::ignore(row.line, &source));
            }
            return false;
        }
        let free =
            Seat::BOTH.into_iter().find(|seat| self.names[*seat].is_empty() && self.hearing.is_asked((*seat).into()));
        if let Some(seat) = free.filter(|seat| message.parts.iter().any(|(_, words)| sounds(*seat, words))) {
            self.names[seat].clone_from(&message.name);
            self.hearing.call(seat, &message.name);
            self.speakers.add(&message.name, Who::of(seat));
            return self.seat(seat, message);
        }
        if !self.strangers.contains(&message.name) {
            self.strangers.push(message.name.clone());
        }
        let Some((at, _)) = sounding else { return true };
        let names = self.hearing.names().map(str::to_owned);
        if let Some(row) = self.rows.get_mut(*at) {
            row.refuse(&format!("who is {}?", message.name));
            row.fixes = who_is(&message.name, names.as_ref().map(String::as_str));
            row.fixes.push(Fix::ignore(row.line, &row.source.clone()));
        }
        false
    }
}

/// Whoever this may be.
pub(super) fn who_is(name: &str, players: BySeat<&str>) -> Vec<Fix> {
    let fix = |who: Who| {
        let label = match who {
            Who::P1 => format!("{name} is {}", players.p1),
            Who::P2 => format!("{name} is {}", players.p2),
            Who::Host => format!("{name} is the host or the umpire"),
            Who::Nobody => format!("Leave out all that {name} says"),
        };
        Fix { label, does: Does::Name { name: name.to_owned(), who } }
    };
    Who::ALL.map(fix).into()
}
