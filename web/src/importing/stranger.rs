//! Those of whom nobody knows yet who they are.

use engine::{BySeat, Seat};

use super::fix::{Does, Fix, Who};
use super::hearing::refusal;
use super::listener::Listener;
use super::message::Message;

impl Listener<'_> {
    /// Somebody who is not known: a question where it sounds like a move, and talk where it does not.
    pub(super) fn stranger(&mut self, message: &Message) -> bool {
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
