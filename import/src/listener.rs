//! Whoever goes through a chat and tells the match from the talk.

use std::collections::HashSet;

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::fix::{Fix, Who};
use super::hearing::{Heard, Hearing};
use super::message::{Item, Message};
use super::nearest::nearest;
use super::rounds::Rounds;
use super::row::{Row, Taken};
use super::speaker::Speakers;
use super::stated::Stated;

/// A match as it comes out of a chat, message by message.
pub(super) struct Listener<'r> {
    pub(super) hearing: Hearing,
    pub(super) speakers: Speakers,
    pub(super) rows: &'r mut Vec<Row>,
    pub(super) strangers: &'r mut Vec<String>,
    /// The players, as far as they are known.
    pub(super) names: &'r mut BySeat<String>,
    /// Results that somebody stated: the row, what, and after how many steps.
    pub(super) stated: Vec<(usize, Stated, usize)>,
    pub(super) rounds: Rounds,
    /// The line of the last step.
    pub(super) last_line: usize,
    /// Those of whom nobody knows who they are, as they are looked up.
    pub(super) met: HashSet<String>,
}

impl Listener<'_> {
    /// Takes what comes, in order; false where something is wrong with it, and nothing after it can be judged.
    pub(super) fn takes(&mut self, items: &[Item]) -> bool {
        let mut rest = items;
        while let Some((item, behind)) = rest.split_first() {
            rest = behind;
            let whole = match item {
                Item::Round(at, named) => {
                    if let Some(row) = self.rows.get(*at) {
                        self.rounds.headed.insert(row.line, named.round);
                    }
                    // A round may be summed up right below its heading: both are one then.
                    let below = behind.split_first().and_then(|(next, behind)| match next {
                        Item::Message(message) => Some((self.tells(message, Some(named.round))?, behind)),
                        Item::Round(..) => None,
                    });
                    if let Some((whole, behind)) = below {
                        rest = behind;
                        whole
                    } else {
                        self.round(*at, *named)
                    }
                }
                Item::Message(message) => {
                    self.message(message) && message.asides.iter().all(|(at, round)| self.aside(*at, *round))
                }
            };
            if !whole {
                return false;
            }
        }
        true
    }

    fn message(&mut self, message: &Message) -> bool {
        if self.is_perhaps_anothers(message) {
            return false;
        }
        if let Some(whole) = self.tells(message, None) {
            return whole;
        }
        if let [(at, words)] = message.parts.as_slice()
            && let Some(stated) = Stated::read(words, &self.speakers)
        {
            self.stated.push((*at, stated, self.steps()));
            return true;
        }
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

    pub(super) fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    /// Steps that somebody played.
    pub(super) fn steps(&self) -> usize {
        self.hearing.steps().iter().filter(|step| !step.starts_with("umpire:")).count()
    }

    pub(super) fn seat(&mut self, seat: Seat, message: &Message) -> bool {
        let vocabulary = self.hearing.vocabulary(seat.into());
        if message.timed {
            self.rounds.again = BySeat::default();
        }
        if self.is_told_already(seat, message) {
            return false;
        }
        if message.parts.len() > 1 && !self.rounds.again[seat] {
            // All of it is one move, or all of it that sounds like one, where nothing of the game is in the rest.
            let (sounding, rest): (Vec<_>, Vec<_>) =
                message.parts.iter().partition(|(_, words)| vocabulary.sounds(words));
            let some =
                if rest.iter().any(|(_, words)| self.hearing.is_of_the_game(words)) { Vec::new() } else { sounding };
            for parts in [message.parts.iter().collect(), some] {
                let joined = parts.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ");
                let rows: Vec<usize> = parts.iter().map(|(at, _)| *at).collect();
                let line = rows.first().and_then(|at| self.rows.get(*at)).map_or(0, |row| row.line);
                if let Some(heard) = self.hearing.seat(seat, &joined, line).ok().filter(|_| !rows.is_empty()) {
                    self.heard(&rows, heard);
                    message.parts.iter().for_each(|(at, _)| self.pass(*at));
                    return true;
                }
            }
        }
        message.parts.iter().all(|(at, words)| self.part(seat, message, *at, words))
    }

    /// One line of a player.
    fn part(&mut self, seat: Seat, message: &Message, at: usize, words: &str) -> bool {
        if self.rounds.again[seat]
            && let Some(whole) = self.again(seat, at, words)
        {
            return whole;
        }
        let line = self.rows.get(at).map_or(0, |row| row.line);
        let refusal = match self.hearing.seat(seat, words, line) {
            Ok(heard) => {
                self.heard(&[at], heard);
                return true;
            }
            Err(refusal) => refusal,
        };
        // A rule that refuses it, words that are nearly the game's, or a word that is: nothing of it is lost in silence.
        let sounds = self.hearing.vocabulary(seat.into()).sounds(words);
        if !sounds && refusal.rule.is_none() && !self.hearing.is_of_the_game(words) {
            self.pass(at);
            return true;
        }
        if self.hearing.is_asked(seat.into()) {
            self.refuse(at, seat, &message.name, words, &refusal);
            let name = self.hearing.names()[seat].to_owned();
            if !sounds
                && refusal.rule.is_none()
                && let Some(row) = self.row(at)
            {
                let fixes = std::mem::take(&mut row.fixes);
                row.refuse(&format!("a word of the game is in this: is it a move of {name}?"));
                row.fixes = fixes;
            }
            return false;
        }
        let (over, last) = (self.hearing.duel().outcome().is_over(), self.last_line);
        let Some(row) = self.row(at) else { return false };
        if over {
            row.refuse(&format!("the match was over on line {last}, and this sounds like a move"));
        } else {
            row.refuse(&refusal.expected);
        }
        let source = row.source.clone();
        row.fixes.push(Fix::ignore(row.line, &source));
        if over {
            row.fixes.push(Fix::ignore_rest(row.line, &source));
        }
        false
    }

    /// What a player says where the moves of the last round may be told once more; none where it is nothing of the kind.
    fn again(&mut self, seat: Seat, at: usize, words: &str) -> Option<bool> {
        let coming = self.hearing.duel().coming_round()?;
        let (same, reads) = (self.hearing.said_before(seat, words), self.hearing.reads(seat, words));
        if !same && !reads {
            return None;
        }
        self.rounds.again[seat] = false;
        let played = coming.saturating_sub(1);
        let before = self.hearing.last_move(seat).map_or("-", |sent| sent.text.as_str()).to_owned();
        let (name, results) = (self.hearing.names()[seat].to_owned(), self.rounds.results);
        let row = self.row(at)?;
        // Under announced results the same moves are those; elsewhere somebody may have made them once more.
        if same && (results || !reads) {
            (row.taken, row.words) = (Taken::LeftOut, format!("Round {played}, told again"));
            return Some(true);
        }
        row.refuse(&if same {
            format!("is this round {played}, told again, or {name}’s move for round {coming}?")
        } else {
            format!("{name} sent \u{201c}{before}\u{201d} in round {played}, and this says something else: is it for round {coming}?")
        });
        let source = row.source.clone();
        let now = vec![format!("Round {coming}"), source.clone()];
        row.fixes.push(Fix::line(format!("It is for round {coming}"), row.line, &source, now));
        let now = vec![format!("# {source}")];
        row.fixes.push(Fix::line(format!("It is round {played}, told again: leave it out"), row.line, &source, now));
        Some(false)
    }

    /// A line of a player that is no part of the match, as far as anybody can tell.
    pub(super) fn pass(&mut self, at: usize) {
        if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later) {
            row.taken = Taken::Passed;
        }
    }

    /// Marks the rows of what was heard. A row that holds more than one move says all of them.
    pub(super) fn heard(&mut self, rows: &[usize], heard: Heard) {
        let standing = self.hearing.standing();
        let Some((first, others)) = rows.split_first() else { return };
        let first_line = self.rows.get(*first).map_or(0, |row| row.line);
        for at in others {
            if let Some(row) = self.rows.get_mut(*at) {
                row.taken = Taken::With(first_line);
            }
        }
        if let Heard::Half(_, Some(before)) = &heard
            && *before != first_line
            && let Ok(at) = self.rows.binary_search_by_key(before, |row| row.line)
            && let Some(row) = self.rows.get_mut(at)
        {
            (row.taken, row.words) = (Taken::Passed, format!("Replaced on line {first_line}"));
        }
        let Some(row) = self.row(*first) else { return };
        let (taken, words) = match heard {
            Heard::Half(words, _) => (Taken::Half, words),
            Heard::Step(words) => (Taken::Step, words),
        };
        // A step of both says each part of it.
        if row.taken == Taken::Step || (row.taken == Taken::Half && taken == Taken::Half) {
            row.words = format!("{}; {words}", row.words);
        } else {
            row.words = words;
        }
        row.taken = taken;
        if taken == Taken::Step {
            row.standing = standing;
            self.last_line = first_line;
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
    pub(super) fn host(&mut self, message: &Message) -> bool {
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
                    let near = if decision { Vec::new() } else { nearest(self.hearing.duel(), Party::Host, words) };
                    if let Some(row) = self.rows.get_mut(*at) {
                        row.refuse(&expected);
                        let source = row.source.clone();
                        if decision {
                            let reason = words.get("result ".len()..).unwrap_or_default().trim();
                            row.fixes = ["p1", "p2", "undecided", "void"]
                                .map(|verdict| {
                                    let now = format!("umpire: result {verdict} {reason}");
                                    Fix::line(now.clone(), row.line, &source, vec![now])
                                })
                                .into();
                        }
                        for near in near {
                            let now = format!("host: {near}");
                            row.fixes.push(Fix::line(now.clone(), row.line, &source, vec![now]));
                        }
                        row.fixes.push(Fix::ignore(row.line, &source));
                    }
                    false
                }
                Err(_) => true,
            }
        })
    }
}
