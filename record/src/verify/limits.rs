//! Finding 8: the limits of this verification.

use super::finding::{Detail, Finding, Grade, Status};
use super::signed;
use crate::body::Closing;
use crate::history::{History, Mode};
use crate::write::RULES_VERSION;

/// Facts that no record of this mode can show.
pub(super) fn finding(history: &History) -> Finding {
    let mut finding = Finding::new(8, Status::Reported, "What no record of this kind can show:");
    let mut say = |text: &str| finding.details.push(Detail::note(text, None, None));
    match history.opened.mode {
        Mode::Imported => {
            say("that the match was played like this: it rests on its source and on the umpire who entered it");
        }
        Mode::Live if signed::grade(history) == Grade::Signed => {
            say(
                "who sat before the browser that held a seat's key, and that a player was there at all: the host could have made the keys itself, and be both players",
            );
            say(
                "that the server kept to itself what it held until the decision closed: it could open what players sent",
            );
        }
        Mode::Live if signed::grade(history) == Grade::Escrow => {
            say("that the server made up nothing for a seat that does not sign: it sealed those moves itself");
            say(
                "that the server kept to itself what it held until the decision closed: it could open what players sent",
            );
        }
        Mode::Live | Mode::Recorded => {
            say("that the players sent what the umpire recorded, and in time: the umpire typed it");
            say("that neither player knew the other's move: it was sent where this record does not reach");
        }
    }
    if history.opened.mode == Mode::Live && history.keys.each().iter().any(|(_, key)| key.is_some()) {
        say("that a key is the player's: compare it with what the player says it is");
    }
    if !history.origin.is_practice() {
        say("that the log has no second match with this id: only an audit of the whole log shows one");
    }
    if history.opened.rules < RULES_VERSION {
        say("that it was opened under the present rules of the record: it says rules 1, the older ones");
    }
    if history.opened.mode == Mode::Live && history.opened.rules < 2 {
        say(
            "whether the umpire could read answers before they closed, and who had links to the seats: a match under rules 1 does not say",
        );
    }
    if history.players_keep_shares() && history.seeds.iter().any(|seed| seed.fixed.is_some()) {
        say(
            "that the host, which knew every coming and every hidden draw from the seed on, told nobody and gave up no match whose draws it disliked: a monitor of the log lists the matches that were seeded and never ended",
        );
    }
    let umpire_closed = history.open.iter().any(|open| open.asked.closes == Closing::Umpire);
    if umpire_closed && !history.is_ended() {
        say("how it ends: the match still runs");
    }
    if history.names.p1 == crate::CommittedText::Withdrawn || history.names.p2 == crate::CommittedText::Withdrawn {
        say("the names: their text was withdrawn, and the record keeps only its commitment");
    }
    finding
}
