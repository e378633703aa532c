//! Whoever goes through a chat and tells the match from the talk.

use std::collections::HashSet;

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::fix::{Does, Fix, Who};
use super::hearing::{Heard, Hearing, refusal};
use super::naming::{How, Named};
use super::nearest::nearest;
use super::row::{Row, Taken};
use super::speaker::Speakers;
use super::stated::Stated;

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

/// What the headings of a chat have said so far.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The last round that was announced.
    announced: u32,
    /// Whether they stand above their rounds or below them; none before the first.
    above: Option<bool>,
    /// The seats whose moves of the round before may be told once more now.
    again: BySeat<bool>,
    /// Whether a heading says so: results were announced, rather than a round named once more.
    results: bool,
}

impl Listener<'_> {
    /// Takes what comes next; false where something is wrong with it, and nothing after it can be judged.
    pub(super) fn takes(&mut self, item: &Item) -> bool {
        match item {
            Item::Round(at, named) => self.round(*at, *named),
            Item::Message(message) => {
                self.message(message) && message.asides.iter().all(|(at, round)| self.aside(*at, *round))
            }
        }
    }

    fn message(&mut self, message: &Message) -> bool {
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

    fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    /// Steps that somebody played.
    pub(super) fn steps(&self) -> usize {
        self.hearing.steps().iter().filter(|step| !step.starts_with("umpire:")).count()
    }

    /// A heading. Its number has to be that of the coming round, or of the one that was played last.
    fn round(&mut self, at: usize, named: Named) -> bool {
        self.rounds.again = BySeat::default();
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        let Named { round, how } = named;
        let is_over = self.hearing.duel().outcome().is_over();
        if round > coming || (round == coming && is_over) {
            return self.too_far(at, round, coming);
        }
        if round == coming {
            if self.hearing.missing().is_some() && (how == How::Results || self.rounds.above == Some(false)) {
                return self.too_far(at, round, coming);
            }
            self.rounds.above.get_or_insert(true);
            self.rounds.announced = round;
            return true;
        }
        let known = round <= self.rounds.announced;
        if round + 1 == coming && self.hearing.missing().is_none() && (known || how == How::Results) {
            (self.rounds.again, self.rounds.results) = (BySeat::from_fn(|_| true), how == How::Results);
            self.rounds.announced = round;
            return true;
        }
        if round + 1 == coming && self.rounds.above != Some(true) {
            self.rounds.above = Some(false);
            self.rounds.announced = round;
            return true;
        }
        if is_over && how == How::Results {
            return true;
        }
        let why = match self.hearing.missing() {
            Some((seat, line)) => format!(
                "this names round {round}, which is complete, while line {line} was taken for round {coming} and {}’s part of \
                 that is missing",
                self.hearing.names()[seat]
            ),
            None => format!(
                "this names round {round}, which is complete above: either a round was counted twice there, or what follows \
                 would be counted twice"
            ),
        };
        if let Some(row) = self.row(at) {
            row.refuse(&why);
            let source = row.source.clone();
            row.fixes = vec![Fix::ignore(row.line, &source), Fix::ignore_rest(row.line, &source)];
        }
        false
    }

    /// A round that is named by the way; what is to come cannot be over.
    fn aside(&mut self, at: usize, round: u32) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        if round > coming {
            return self.too_far(at, round, coming);
        }
        if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later || row.taken == Taken::Passed) {
            row.words = format!("Speaks of round {round}");
        }
        true
    }

    /// A round is named, and something is missing before it.
    fn too_far(&mut self, at: usize, round: u32, coming: u32) -> bool {
        let (missing, names, last) = (self.hearing.missing(), self.hearing.names().map(str::to_owned), self.last_line);
        let is_over = self.hearing.duel().outcome().is_over();
        let Some(row) = self.row(at) else { return true };
        let source = row.source.clone();
        match missing {
            _ if is_over => {
                row.refuse(&format!("this names round {round}, and the match was over on line {last}"));
                row.fixes.push(Fix::ignore_rest(row.line, &source));
            }
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
        if message.timed {
            self.rounds.again = BySeat::default();
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
        let before = self.hearing.last_move(seat).unwrap_or("-").to_owned();
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
    fn pass(&mut self, at: usize) {
        if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later) {
            row.taken = Taken::Passed;
        }
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
        if row.taken == Taken::Half {
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
            let names = self.names.clone();
            if let Some(row) = self.rows.get_mut(*at) {
                row.refuse(&why.expected);
                let source = row.source.clone();
                for (seat, name) in names.each() {
                    let name = if name.is_empty() { seat.word() } else { name.as_str() };
                    let now = vec![format!("{name}: {words}")];
                    let label = format!("{} said this", called(seat, &names[seat]));
                    row.fixes.push(Fix::line(label, row.line, &source, now));
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
        if self.met.insert(message.name.clone()) {
            self.strangers.push(message.name.clone());
        }
        let Some((at, _)) = sounding else { return true };
        let names = self.names.clone();
        if let Some(row) = self.rows.get_mut(*at) {
            row.refuse(&format!("who is {}?", message.name));
            row.fixes = who_is(&message.name, names.as_ref().map(String::as_str));
            row.fixes.push(Fix::ignore(row.line, &row.source.clone()));
        }
        false
    }
}

/// A player, also while nobody knows the name.
fn called(seat: Seat, name: &str) -> String {
    match (name.is_empty(), seat) {
        (true, Seat::P1) => "Player 1".to_owned(),
        (true, Seat::P2) => "Player 2".to_owned(),
        (false, _) => name.to_owned(),
    }
}

/// Whoever this may be. Names of the players are empty as long as nobody knows them.
pub(super) fn who_is(name: &str, players: BySeat<&str>) -> Vec<Fix> {
    let is = |seat: Seat| match (players[seat], seat) {
        ("", Seat::P1) => format!("{name} is player 1, whose name is not known yet"),
        ("", Seat::P2) => format!("{name} is player 2, whose name is not known yet"),
        (player, _) => format!("{name} is {player}"),
    };
    let fix = |who: Who| {
        let label = match who {
            Who::P1 => is(Seat::P1),
            Who::P2 => is(Seat::P2),
            Who::Host => format!("{name} is the host or the umpire"),
            Who::Nobody => format!("Leave out all that {name} says"),
        };
        Fix { label, does: Does::Name { name: name.to_owned(), who } }
    };
    Who::ALL.map(fix).into()
}
