//! Finding 7: changes by people.

use std::fmt;

use engine::Party;
use ledger::{Author, Seq};

use super::finding::{Detail, Finding, Status, count};
use super::signed;
use crate::body::{LinkAct, RulingEffect};
use crate::clock::{Change, ClockChange};
use crate::history::{Correction, History, LinkRecord, StepRecord, StepSource};
use crate::objection::Objection;
use crate::rule::Rule;
use crate::seal::SealRecord;
use crate::text::CommittedText;
use crate::words::{capital, listed};

/// What people decided beside the players' moves, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interventions {
    /// Rulings that are no warnings.
    pub rulings: usize,
    /// Warnings.
    pub warnings: usize,
    /// Strikes without a correction.
    pub strikes: usize,
    /// Corrections of one step.
    pub corrections: usize,
    /// Moves that an umpire typed for a seat that signs.
    pub typed: usize,
}

impl Interventions {
    /// All of them together.
    #[must_use]
    pub const fn total(self) -> usize {
        self.rulings + self.warnings + self.strikes + self.corrections + self.typed
    }
}

impl fmt::Display for Interventions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.rulings, "ruling", "rulings"),
            (self.warnings, "warning", "warnings"),
            (self.strikes, "strike", "strikes"),
            (self.corrections, "correction", "corrections"),
            (self.typed, "move typed without its signature", "moves typed without their signatures"),
        ];
        let words = all.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(n, one, many));
        f.write_str(&listed(&words.collect::<Vec<_>>()))
    }
}

impl History {
    /// What people decided beside the players' moves.
    #[must_use]
    pub fn interventions(&self) -> Interventions {
        let rulings = || self.remarks.iter().filter(|remark| remark.ruling);
        let corrected = self.strikes.iter().filter(|strike| strike.correction == Correction::First).count();
        let warnings = rulings().filter(|ruling| matches!(ruling.does, Some(RulingEffect::Warns(_)))).count();
        Interventions {
            rulings: rulings().count() - warnings + self.decided_in_import().count(),
            warnings,
            strikes: self.strikes.len() - corrected,
            corrections: corrected,
            typed: signed::typed_for_a_key(self).len(),
        }
    }
}

pub(super) fn finding(history: &History) -> Finding {
    let typed = signed::typed_for_a_key(history);
    let clocks = clocks(history);
    let (changes, links) = (summary(history), links(history));
    let looks = history.umpire_looks() == Some(true);
    let status = if changes.is_none() && clocks.is_empty() && links.is_empty() && !looks {
        Status::Holds
    } else {
        Status::Reported
    };
    let changes = changes.unwrap_or_else(|| "Nobody ruled, warned or struck anything.".to_owned());
    let summary = match clocks.len() {
        0 => changes,
        many => format!("{changes} An umpire paused or extended clocks {}.", times(many)),
    };
    let mut finding = Finding::new(7, status, summary);
    if looks {
        let text = "the umpire could read what the players sent before a decision closed: the opening says so";
        finding.details.push(Detail::note(Rule::Looked, text, Some(Seq(0)), None));
    }
    finding.details.extend(links);
    finding.details.extend(typed);
    finding.details.extend(typed_by_others(history));
    finding.details.extend(clocks);
    finding.details.extend(rulings(history));
    finding.details.extend(handovers(history));
    finding.details.extend(objections(history));
    finding.details.extend(strikes(history));
    if history.steps.iter().any(|step| matches!(step.source, StepSource::Correction { changed: true })) {
        let text = "a corrected move has no seal of its own: it is the umpire's word";
        finding.details.push(Detail::note(Rule::Struck, text, None, None));
    }
    finding.with_faults(history)
}

/// How often: `once`, `2 times`.
fn times(n: usize) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}

/// What somebody said, as a sentence begins; what is said of it where it was withdrawn.
fn said(text: &CommittedText, withdrawn: &str) -> String {
    capital(text.or(withdrawn))
}

fn summary(history: &History) -> Option<String> {
    let (handovers, objections) = (history.handovers.len(), history.objections.len());
    let interventions = history.interventions();
    let decided = match interventions.total() {
        0 if handovers + objections == 0 => return None,
        0 => "Nobody ruled, warned or struck anything.".to_owned(),
        _ => format!("{interventions}."),
    };
    let handed = match handovers {
        0 => String::new(),
        many => format!(" Handed to another umpire {}.", times(many)),
    };
    let objected = match (objections, history.open_objections().count()) {
        (0, _) => String::new(),
        (all, 0) => format!(" {}, each answered.", count(all, "objection", "objections")),
        (all, open) => format!(" {}, {open} not answered.", count(all, "objection", "objections")),
    };
    Some(format!("{decided}{handed}{objected}"))
}

/// The acts with private links that a match need not have: all but the first link to each seat and its first use.
fn links(history: &History) -> Vec<Detail> {
    let first = |link: &LinkRecord| {
        let same = |other: &&LinkRecord| other.linked.seat == link.linked.seat && other.linked.act == link.linked.act;
        link.linked.act != LinkAct::Refused
            && history.links.iter().find(same).is_some_and(|first| first.entry == link.entry)
    };
    let told = history.links.iter().filter(|link| !first(link)).map(|link| {
        let (name, number) = (history.name(link.linked.seat.0), link.linked.link.saturating_add(1));
        let text = match link.linked.act {
            LinkAct::Made => format!("{name}: {} made link {number} to the seat", link.by),
            LinkAct::Followed => format!("{name}: another browser or program began to use link {number} to the seat"),
            LinkAct::Refused => format!("{name}: a browser of link {number} offered another key, which was refused"),
        };
        Detail::note(Rule::Linked, text, Some(link.entry), None)
    });
    told.collect()
}

fn rulings(history: &History) -> impl Iterator<Item = Detail> {
    let ruled = history.remarks.iter().filter(|remark| remark.ruling).map(|ruling| {
        let rule = ruling.rule.as_ref().map(|rule| format!(" (rule {rule})")).unwrap_or_default();
        let (kind, what) = match &ruling.does {
            Some(RulingEffect::Warns(seat)) => (format!("warning to {}", history.name(seat.0)), String::new()),
            Some(does) => ("ruling".to_owned(), does_words(history, does)),
            None => ("ruling".to_owned(), String::new()),
        };
        let who = another(history, ruling.entry, &ruling.by);
        let text = format!("{kind}{rule}{what}: {}{who}", said(&ruling.text, "its text was withdrawn"));
        Detail::note(Rule::Ruled, text, Some(ruling.entry), None)
    });
    ruled.chain(history.decided_in_import().map(|(step, reason)| {
        let text = format!("in the imported text the umpire decides the result: {}", capital(reason));
        Detail::note(Rule::Ruled, text, Some(step.entry), Some(step.row.round))
    }))
}

fn handovers(history: &History) -> impl Iterator<Item = Detail> {
    history.handovers.iter().map(|handover| {
        let reason = said(&handover.reason, "the reason was withdrawn");
        let who = another(history, handover.entry, &handover.by);
        let text = format!("from here on it is the match of {}: {reason}{who}", handover.to);
        Detail::note(Rule::HandedOver, text, Some(handover.entry), None)
    })
}

fn objections(history: &History) -> impl Iterator<Item = Detail> {
    history.objections.iter().map(|objection| {
        let (name, why) = (history.name(objection.seat), said(&objection.text, "its text was withdrawn"));
        let answer = match objection.answered {
            Some(entry) if leaves_as_it_was(history, objection, entry) => {
                format!("answered in entry {entry}, which left the move as it was")
            }
            Some(entry) => format!("answered in entry {entry}"),
            None => "not answered".to_owned(),
        };
        let text = format!("{name} objected to step {}, \"this is not what I sent\": {why} ({answer})", objection.step);
        Detail::note(Rule::Objected, text, Some(objection.entry), None)
    })
}

fn strikes(history: &History) -> impl Iterator<Item = Detail> {
    history.strikes.iter().map(|strike| {
        let what = match strike.correction {
            Correction::None => {
                format!("{} struck from step {} on", count(strike.struck.len(), "step", "steps"), strike.from)
            }
            Correction::First => format!("step {} corrected, later ones kept", strike.from),
        };
        let who = another(history, strike.entry, &strike.by);
        let text = format!("{what}: {}{who}", said(&strike.reason, "the reason was withdrawn"));
        let round = strike.struck.first().map(|step| step.row.round);
        Detail::note(Rule::Struck, text, Some(strike.entry), round)
    })
}

/// Every pause, and all time given by umpires. Automatic extensions are not listed.
fn clocks(history: &History) -> Vec<Detail> {
    let all = history.clocks.iter().flat_map(|clock| clock.changes.iter().map(move |change| (clock, change)));
    let told = all.filter_map(|(clock, ClockChange { entry, change, by, .. })| {
        let why = |reason: &CommittedText| format!(": {}", said(reason, "the reason was withdrawn"));
        let what = match change {
            Change::Paused { reason } => {
                format!("clock paused{}", reason.as_ref().map(why).unwrap_or_default())
            }
            Change::Extended { seconds, reason } => format!("{seconds} s given{}", why(reason)),
            // To let a clock run is everyday business, unless somebody else does it.
            Change::Started | Change::Resumed { .. } if is_another(history, *entry, by) => "clock started".to_owned(),
            Change::Started | Change::Resumed { .. } | Change::Spent { .. } | Change::MadeUp { .. } => return None,
        };
        let round = history.decision_words(&clock.decision);
        let text = format!("{round}, {what}{}", another(history, *entry, by));
        Some(Detail::note(Rule::ClockChanged, text, Some(*entry), None))
    });
    told.collect()
}

fn is_another(history: &History, entry: Seq, by: &Author) -> bool {
    matches!(by, Author::Umpire(_)) && history.umpire_at(entry) != by
}

fn typed_by_others(history: &History) -> impl Iterator<Item = Detail> {
    let typed = history.seals.iter().filter(|seal| is_another(history, seal.entry, &seal.by));
    typed.filter_map(|seal| {
        let whose = history.seat_words(seal.whose.seat()?, &seal.decision);
        let text = format!("{whose}: typed{}", another(history, seal.entry, &seal.by));
        Some(Detail::note(Rule::TypedByOther, text, Some(seal.entry), None))
    })
}

/// The author, if it is not the umpire of the match: other umpires may help, and that is stated.
fn another(history: &History, entry: Seq, by: &Author) -> String {
    if history.umpire_at(entry) == by { String::new() } else { format!(" (by {by}, whose match it was not)") }
}

/// True if the answer to an objection corrected its step, but left the seat's own part of it unchanged.
fn leaves_as_it_was(history: &History, objection: &Objection, entry: Seq) -> bool {
    let strikes = history.strikes.iter();
    let mut from = strikes.skip_while(|strike| strike.entry != entry);
    let Some(strike) = from.next().filter(|strike| strike.correction == Correction::First) else { return false };
    let place = |first: u32| usize::try_from(objection.step.checked_sub(first)?).ok();
    let sent = |step: &StepRecord| step.moves[objection.seat].clone();
    let was = place(strike.from).and_then(|at| strike.struck.get(at)).and_then(sent);
    // The seat's part is in the step as it was struck next, or as it counts now.
    let next = from.find_map(|later| place(later.from).and_then(|at| later.struck.get(at)));
    let now = next.or_else(|| place(1).and_then(|at| history.steps.get(at))).and_then(sent);
    was.is_some_and(|was| !was.contains('?') && now.as_ref() == Some(&was))
}

fn does_words(history: &History, does: &RulingEffect) -> String {
    match does {
        RulingEffect::Warns(_) => String::new(),
        RulingEffect::Admits(admitted) => {
            let seat = admitted.seat.0;
            let of = |seal: &&SealRecord| seal.decision == admitted.decision && seal.whose == Party::Seat(seat);
            let in_time = history.seals.iter().find(of).is_some_and(|seal| seal.missed.is_none());
            let none = if in_time { ", and none of it was late" } else { "" };
            let round = history.decision_words(&admitted.decision).to_lowercase();
            format!(", admits the late move of {} ({round}){none}", history.name(seat))
        }
        RulingEffect::Answers(objection) => format!(", answers the objection in entry {objection}"),
        RulingEffect::Records => ", from here on the umpire types for both seats".to_owned(),
        RulingEffect::Shares => ", from here on new shares of the draws are gathered".to_owned(),
        RulingEffect::WithoutRound => ", goes on without the round that draws waited for".to_owned(),
    }
}
