//! What can be done about a step of the notation that is refused: what it may have meant in the match as it stood before it.

use engine::{BySeat, Duel, Party, Seat, To};

use super::facts::tag;
use super::fix::Fix;
use super::nearest_moves::nearest;
use super::typed_move::{Typed, Vocabulary, read};

/// What people write between two moves.
const BETWEEN: [&str; 12] = ["/", "|", "\\", ";", " - ", " – ", " — ", " vs. ", " vs ", ",", "\t", " and "];

/// A step that is refused.
struct Refused<'t> {
    duel: &'t Duel,
    names: &'t BySeat<String>,
    at: usize,
    line: &'t str,
    fixes: Vec<Fix>,
}

/// The buttons for a step that is refused.
pub(crate) fn fixes(duel: &Duel, names: &BySeat<String>, at: usize, line: &str) -> Vec<Fix> {
    if tag(line).is_some() {
        return Fix::one_match(at, line).into_iter().chain([Fix::ignore(at, line)]).collect();
    }
    let mut refused = Refused { duel, names, at, line, fixes: Vec::new() };
    let said = line.split_once('#').map_or(line, |(said, _)| said).trim();
    match said.split_once(':').map(|(speaker, text)| (speaker.trim().to_ascii_lowercase(), text)) {
        Some((speaker, text)) if ["p1", "p2", "host"].contains(&speaker.as_str()) => refused.said(&speaker, text),
        Some((speaker, text)) if speaker == "umpire" => refused.decided(text),
        _ => refused.both(said),
    }
    refused.fixes.push(Fix::ignore(at, line));
    refused.fixes
}

impl Refused<'_> {
    /// Offers a line, where the rules allow it.
    fn offer(&mut self, label: String, now: &str) {
        let does = Fix::line(label, self.at, self.line, vec![now.to_owned()]);
        if !self.fixes.iter().any(|fix| fix.does == does.does) && self.duel.clone().play(now, None).is_ok() {
            self.fixes.push(does);
        }
    }

    /// What one seat or the host says.
    fn said(&mut self, speaker: &str, text: &str) {
        let party = speaker.parse::<Seat>().map_or(Party::Host, Party::Seat);
        for near in nearest(self.duel, party, text) {
            let now = format!("{speaker}: {near}");
            self.offer(now.clone(), &now);
        }
    }

    /// What the umpire says.
    fn decided(&mut self, text: &str) {
        let said = text.trim();
        let reason = said.strip_prefix("result ").unwrap_or(said).trim();
        let labels = [
            ("p1", format!("It was decided: {} won", self.names.p1)),
            ("p2", format!("It was decided: {} won", self.names.p2)),
            ("undecided", "It was left undecided".to_owned()),
            ("void", "It does not count".to_owned()),
        ];
        let reason = if reason.is_empty() { "as it was reported" } else { reason };
        for (word, label) in labels {
            self.offer(label, &format!("umpire: result {word} {reason}"));
        }
    }

    /// What both say, however it is put.
    fn both(&mut self, said: &str) {
        let digits = said.len() - said.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let (number, behind) = said.split_at_checked(digits).unwrap_or(("", said));
        let moves = if number.is_empty() { said } else { behind.trim_start_matches(['.', ':', ')', '-', ' ']) };
        let number = self.duel.coming_round().map_or_else(String::new, |round| format!("{round}. "));
        self.offer(format!("Make it round {}", number.trim_end_matches(". ")), &format!("{number}{}", moves.trim()));
        for [p1, p2] in self.readings(moves) {
            let now = format!("{number}{p1} / {p2}");
            self.offer(format!("It says {now}"), &now);
        }
        let Some((p1, p2)) = halves(moves) else { return };
        if self.sounds(p1) || self.sounds(p2) {
            self.near(&BySeat { p1, p2 }, &number);
        }
    }

    /// The ways in which a text parted somewhere reads as a move of each, canonically.
    fn readings(&self, moves: &str) -> Vec<[String; 2]> {
        let parted = BETWEEN.iter().filter_map(|between| {
            let (p1, p2) = moves.split_once(between).filter(|(_, p2)| !p2.contains(between))?;
            Some([self.answer(Seat::P1, p1)?, self.answer(Seat::P2, p2)?])
        });
        parted.collect()
    }

    /// The moves nearest to what each seat is said to have sent.
    fn near(&mut self, said: &BySeat<&str>, number: &str) {
        let legal = BySeat::from_fn(|seat| self.answer(seat, said[seat]));
        for seat in Seat::BOTH.into_iter().filter(|seat| legal[*seat].is_none()) {
            let other = legal[seat.other()]
                .clone()
                .or_else(|| nearest(self.duel, seat.other().into(), said[seat.other()]).first().cloned());
            let other = other.unwrap_or_else(|| "-".to_owned());
            for near in nearest(self.duel, seat.into(), said[seat]).into_iter().chain(["-".to_owned()]) {
                let label = match near.as_str() {
                    "-" => format!("Nothing came from {}", self.names[seat]),
                    near => format!("{}: {near}", self.names[seat]),
                };
                let (p1, p2) = if seat == Seat::P1 { (&near, &other) } else { (&other, &near) };
                self.offer(label, &format!("{number}{p1} / {p2}"));
            }
        }
    }

    /// Whether a text sounds like a move of anybody. A remark does not.
    fn sounds(&self, text: &str) -> bool {
        Seat::BOTH.into_iter().any(|seat| Vocabulary::of(self.duel, seat.into()).may_be_in(text))
    }

    /// A text as this seat's part of a step of both, canonically.
    fn answer(&self, seat: Seat, text: &str) -> Option<String> {
        let joint = self.duel.asks().iter().any(|ask| ask.to == To::Both);
        let names = self.names.as_ref().map(String::as_str);
        if text.trim().is_empty() || !joint {
            return None;
        }
        match read(self.duel, seat, &Vocabulary::of(self.duel, seat.into()), text, names) {
            Typed::Answer(answer) => Some(answer.text),
            Typed::Several(_) | Typed::Refused(_) => None,
        }
    }
}

/// The two sides of a line, at the first mark that parts it.
fn halves(moves: &str) -> Option<(&str, &str)> {
    let parted = BETWEEN.iter().filter(|between| **between != " and ").find_map(|between| moves.split_once(between));
    parted.map(|(p1, p2)| (p1.trim(), p2.trim()))
}
