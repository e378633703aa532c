//! The state object of the notation. A card that a viewer may not see is `"?"`.

use alloc::string::String;
use core::fmt::Write;

use super::{BoardId, CounterId, HandId, Owner, Place, Table};
use crate::game::Object;
use crate::{BySeat, Seat, Sight, json};

const HIDDEN: &str = "?";

impl Table {
    /// True if a viewer sees the cards of a hand.
    #[must_use]
    pub fn sees(&self, sight: Sight, place: Place) -> bool {
        let hidden = place.hand.of(&self.game().hands).is_some_and(|hand| hand.hidden);
        match sight {
            Sight::Everything => true,
            Sight::Seat(seat) => !hidden || place.seat == Some(seat),
            Sight::Public => !hidden,
        }
    }

    /// The state in the notation, as a viewer may see it.
    #[must_use]
    pub fn state(&self, sight: Sight) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out);
        self.write_state(sight, &mut object);
        object.close();
        out
    }

    /// Writes the state: `phase`, `round`, `asks`, then counters, hands and boards by their names, then `said`.
    pub fn write_state(&self, sight: Sight, object: &mut Object<'_>) {
        let game = self.game();
        object.word("phase", Some(self.phase().word()));
        object.number("round", self.round());
        match self.asked() {
            Some(asked) => {
                let mut inner = Object::open(object.key("asks"));
                inner.word("what", Some(asked.ask.name(&game.asks)));
                inner.word("to", Some(asked.to()));
                inner.close();
            }
            None => object.word("asks", None),
        }
        for (id, counter) in CounterId::each(&game.counters) {
            let write = |out: &mut String, seat: Seat| {
                // Writing to a String cannot fail.
                let _ = write!(out, "{}", self.holdings().counter(game, id, seat));
            };
            self.write_owned(object, &counter.name, counter.owner, write);
        }
        for (id, hand) in HandId::each(&game.hands) {
            let write = |out: &mut String, seat: Seat| {
                let place = game.place(id, seat);
                let cards = self.holdings().hand(place).iter();
                let seen = self.sees(sight, place);
                json::words(out, cards.map(|card| if seen { game.face(card.face) } else { HIDDEN }));
            };
            self.write_owned(object, &hand.name, hand.owner, write);
        }
        for (id, board) in BoardId::each(&game.boards) {
            let out = object.key(&board.name);
            for (n, row) in self.holdings().board(id).chunks(usize::from(board.columns).max(1)).enumerate() {
                out.push(if n > 0 { ',' } else { '[' });
                json::words(out, row.iter().map(super::board::Mark::word));
            }
            out.push(']');
        }
        object.number("said", self.said());
    }

    fn write_owned(&self, object: &mut Object<'_>, key: &str, owner: Owner, write: impl Fn(&mut String, Seat)) {
        match owner {
            Owner::Each => object.by_seat(key, &BySeat { p1: Seat::P1, p2: Seat::P2 }, |out, seat| write(out, *seat)),
            Owner::Shared => write(object.key(key), Seat::P1),
        }
    }
}
