//! What became of a step, in sentences. Nothing that stays hidden is in them.

use alloc::format;
use alloc::string::String;

use super::{Act, Announcement, Answer, Asked, Drawn, Due, OpensTo, Quote, Table, Then, view};
use crate::dmn::quotes::WITHHELD;
use crate::effect::event;
use crate::{Effect, EffectLog, Fate, Seat, Verdict};

/// The clauses that say what is declared, and what the umpire's word is.
pub(super) const DECLARED: &str = "1";
pub(super) const UMPIRE: &str = "2";

fn said(quote: &Quote) -> &str {
    match quote {
        Quote::Said(text) => text,
        Quote::Withheld => WITHHELD,
    }
}

impl Table {
    pub(super) fn note_answer(&self, asked: Option<Asked>, seat: Seat, sent: &Answer, log: &mut impl EffectLog) {
        let Some(question) = asked.and_then(|asked| asked.question(self.game())) else { return };
        let (label, name) = (self.game().label(&question.name), seat.name());
        log.note(|| {
            let text = match sent {
                Answer::Missing => format!("{name} sends nothing to {label}."),
                Answer::Given(_) if question.opens == OpensTo::Umpire => {
                    format!("{name} answers {label}; only the umpire sees it until the end.")
                }
                Answer::Given(_) => format!("{name} answers {label}: {}.", sent.write(question, self.game(), &[])),
            };
            let fate = if *sent == Answer::Missing { Fate::Defaulted } else { Fate::Event };
            Effect { fate, ..event(Some(seat), DECLARED, text) }
        });
    }

    pub(super) fn note_draw(&self, due: Due, drawn: &Drawn, log: &mut impl EffectLog) {
        let to = due.to.map(|place| {
            let whose = place.seat.map_or_else(String::new, |seat| format!(" of {}", seat.name()));
            format!(", into {}{whose}", self.game().label(place.hand.name(&self.game().hands)))
        });
        let what = if due.is_hidden(self.game()) {
            format!("{}, face down", self.game().tell_draw(due.draw))
        } else {
            drawn.write(self.game(), false)
        };
        log.note(|| event(None, DECLARED, format!("The host draws {what}{}.", to.unwrap_or_default())));
    }

    pub(super) fn note_word(&self, before: &Self, word: &Announcement, log: &mut impl EffectLog) {
        for figure in view::figures(self) {
            let was = view::figures(before).into_iter().find(|was| was.name == figure.name && was.seat == figure.seat);
            let Some(was) = was.filter(|was| was.value != figure.value) else { continue };
            let whose = figure.seat.map_or_else(String::new, |seat| format!(" of {}", seat.name()));
            let text = format!("The umpire: {}{whose} from {} to {}.", figure.label, was.value, figure.value);
            log.note(|| event(figure.seat, UMPIRE, text));
        }
        for act in &word.acts {
            let text = match act {
                Act::Count { .. } => continue,
                Act::Say(quote) => format!("The umpire says: {}", said(quote)),
                act => format!("The umpire: {}.", act.written(self.game(), false)),
            };
            log.note(|| event(None, UMPIRE, text));
        }
        if let Then::Over(verdict, why) = &word.then {
            let end = match verdict {
                Verdict::Won(seat) => format!("{} wins, as the umpire says", seat.name()),
                Verdict::Undecided => "The umpire leaves the match undecided".into(),
                Verdict::Void => "The match does not count, as the umpire says".into(),
            };
            let why = why.as_ref().map_or_else(|| ".".into(), |why| format!(": {}", said(why)));
            log.note(|| event(verdict.winner(), UMPIRE, format!("{end}{why}")));
        }
    }
}
