//! Those of whom nobody knows yet who they are.

use engine::{BySeat, Seat};

use super::clause::{How, clauses};
use super::fix::{Does, Fix, Who};
use super::message::Message;
use super::reader::Reader;
use super::row::Taken;
use super::score::Score;
use super::speaker::Speakers;

impl Reader<'_> {
    /// Whether a message below a lone line and a time sounds like a move: the line may be the name of somebody else, who
    /// made it. Then it is asked whose it is.
    pub(crate) fn is_perhaps_anothers(&mut self, message: &Message) -> bool {
        let Some(other) = message.perhaps.as_ref().filter(|_| !message.name.is_empty()) else { return false };
        let Some((at, words)) = self.sounding(message) else { return false };
        if self.met.insert(other.clone()) {
            self.strangers.push(other.clone());
        }
        let (by, names) = (&message.name, self.names.clone());
        if let Some(row) = self.rows.get_mut(*at) {
            row.refuse(&format!("did {by} say this, or is it {other}\u{2019}s, as the line above the time may say?"));
            row.fixes.clear();
            row.offer(format!("{by} said this"), vec![format!("{by}: {words}")]);
            row.fixes.extend(who_is(other, names.as_ref().map(String::as_str)));
            row.offer_ignore();
        }
        true
    }

    /// The first line of a message that sounds like a move of either seat.
    fn sounding<'m>(&self, message: &'m Message) -> Option<&'m (usize, String)> {
        let sounds = |seat: Seat, words: &str| self.hearing.vocabulary(seat.into()).sounds(words);
        message.parts.iter().find(|(_, words)| Seat::BOTH.into_iter().any(|seat| sounds(seat, words)))
    }

    /// Somebody who is not known: the host, where it tells of the players; a player, as long as one is not known; a question
    /// where it sounds like a move, and talk where it does not.
    pub(crate) fn stranger(&mut self, message: &Message) {
        let sounding = self.sounding(message).cloned();
        let free =
            Seat::BOTH.into_iter().find(|seat| self.names[*seat].is_empty() && self.hearing.is_asked((*seat).into()));
        let sounds = |seat: Seat| message.parts.iter().any(|(_, words)| self.hearing.sounds(seat, words));
        let tells = message.parts.iter().any(|(_, words)| is_report(words, &self.speakers));
        if let Some(seat) = free.filter(|seat| !message.name.is_empty() && !tells && sounds(*seat)) {
            self.names[seat].clone_from(&message.name);
            self.hearing.call(seat, &message.name);
            self.speakers.add(&message.name, Who::of(seat));
            self.player(seat, message);
            return;
        }
        self.rounds.told = false;
        self.report(message);
        // Whoever tells the moves of both is taken for the host from there on.
        if self.rounds.told && !message.name.is_empty() && self.names.each().iter().all(|(_, name)| !name.is_empty()) {
            self.speakers.add(&message.name, Who::Host);
            return;
        }
        let understood = |at: usize| {
            self.rows.get(at).is_some_and(|row| {
                matches!(row.taken, Taken::Step | Taken::Half | Taken::With(_)) || !row.words.is_empty()
            })
        };
        let open = message.parts.iter().any(|(at, _)| !understood(*at));
        if open && !message.name.is_empty() && self.met.insert(message.name.clone()) {
            self.strangers.push(message.name.clone());
        }
        // What nobody was named for, and nobody took.
        let Some((at, words)) = sounding else { return };
        let names = self.names.clone();
        let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) else { return };
        // A score may be beside what sounds like a move.
        if !matches!(row.taken, Taken::Later | Taken::Passed) && row.words != Score::UNCOMPARED {
            return;
        }
        (row.fixes, row.words) = (Vec::new(), String::new());
        if message.name.is_empty() {
            row.refuse("nobody is named before this: write a name and a colon in front of it");
            for (seat, name) in names.each() {
                let name = if name.is_empty() { seat.word() } else { name.as_str() };
                let now = vec![format!("{name}: {words}")];
                let label = format!("{} said this", called(seat, &names[seat]));
                row.offer(label, now);
            }
        } else {
            row.refuse(&format!("who is {}?", message.name));
            row.fixes = who_is(&message.name, names.as_ref().map(String::as_str));
        }
        row.offer_ignore();
    }
}

/// Whether a line names players and more.
fn is_report(words: &str, speakers: &Speakers) -> bool {
    clauses(words, speakers).is_some_and(|(how, told)| how == How::Named && !told.is_empty())
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
pub fn who_is(name: &str, players: BySeat<&str>) -> Vec<Fix> {
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

#[cfg(test)]
mod tests {
    use crate::chat::read;
    use crate::{Facts, Speakers};

    const ALONE: &str = "Ada: score grow\nBo: score steal\nBo: claim\nAda: well played\ngg\n[8:47 PM]\nclaim, grow\n\
                         umpire: result p1 Bo left\n";

    #[test]
    fn a_lone_line_above_a_time_is_no_name_once_somebody_said_so() {
        let given = Facts {
            ruleset: "five-card-trick/dm-colosseum-2".into(),
            names: engine::BySeat { p1: "Ada".into(), p2: "Bo".into() },
            ..Facts::default()
        };
        let reading = read(ALONE, &given, &Speakers::everywhere());
        let row = reading.rows.iter().find(|row| row.wrong.is_some()).unwrap();
        assert_eq!((row.line, row.fixes[0].label.as_str()), (7, "Ada said this"));
        let pressed = row.fixes[0].does.apply(ALONE).unwrap();
        let reading = read(&pressed, &given, &Speakers::everywhere());
        let steps = reading.import.map(|import| import.lines().to_vec()).unwrap_or_default();
        assert_eq!(steps, ["1. score grow / score steal", "2. grow claim / claim", "umpire: result p1 *"]);
        // Talk is nobody's to ask about.
        let talk = ALONE.replace("claim, grow", "that was close").replace("well played", "grow claim");
        assert!(read(&talk, &given, &Speakers::everywhere()).import.is_some());
    }
}
