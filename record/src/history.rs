//! A match as its entries tell it.

use std::collections::BTreeMap;

use engine::{Ask, BySeat, Duel, Effect, Outcome, Party, Row, Seat, Setup, To};
use ledger::{By, DecisionId, Hash, MatchId, Moment, Origin, PlayerKey, Seq};

pub use crate::body::Mode;
use crate::body::{Does, DrawSource, Opened, Replaced};
use crate::clock::Clock;
use crate::decision::{OpenDecision, Question};
use crate::hastened::Hastened;
use crate::objection::Objection;
use crate::ruling::Handover;
use crate::seal::{SealRecord, SealUse};
use crate::seed::{DrawRecord, SeedRecord};
use crate::share::SHARE;
use crate::word::Said;

/// A match folded to its last entry.
#[derive(Clone, Debug)]
pub struct History {
    /// The log's name.
    pub origin: Origin,
    /// The match.
    pub match_id: MatchId,
    /// How it was opened.
    pub opened: Opened,
    /// Who opened it.
    pub umpire: By,
    /// When it was opened.
    pub opened_at: Moment,
    /// Ruleset, DMO and items, as the engine takes them.
    pub setup: Setup,
    /// The players.
    pub names: BySeat<Said>,
    /// The tournament.
    pub event: Option<Said>,
    /// Other tags of an imported file, each `Name value`.
    pub tags: Vec<Said>,
    /// The match before its first step.
    pub start: Duel,
    /// The steps that count, in order.
    pub steps: Vec<StepRecord>,
    /// The steps that no longer count.
    pub strikes: Vec<Strike>,
    /// Rulings, remarks and objections.
    pub remarks: Vec<Remark>,
    /// The umpires who took the match over, in order.
    pub handovers: Vec<Handover>,
    /// The ruling from which on the umpire types for both seats of a live match.
    pub recorded_from: Option<Seq>,
    /// What players said against what stands here.
    pub objections: Vec<Objection>,
    /// The decisions that are asked and not yet answered.
    pub open: Vec<OpenDecision>,
    /// The clock of every question that a clock closes, open or closed, in the order in which they were asked.
    pub clocks: Vec<Clock>,
    /// The decisions that were closed before their time was over, with a default.
    pub hastened: Vec<Hastened>,
    /// Every seal that ever entered.
    pub seals: Vec<SealRecord>,
    /// The key of each seat that has one.
    pub keys: BySeat<Option<SeatKey>>,
    /// Submissions that did not count, with the entry that shows them.
    pub replaced: Vec<(Seq, Replaced)>,
    /// Every question that was ever asked of a seat.
    pub questions: BTreeMap<DecisionId, Question>,
    /// How many decisions were ever asked.
    pub decisions: u32,
    /// Where an imported match comes from.
    pub source: Option<Said>,
    /// Whether the result has been entered, and when last.
    pub ended: Option<(Seq, Moment)>,
    /// Where the next entry goes.
    pub head: ledger::Head,
    /// The clock of the last entry.
    pub last_at: Moment,
    /// Where the entries contradict each other or the rules.
    pub faults: Vec<Fault>,
    /// The first step that cannot be replayed, because a value in it is still sealed.
    pub closed_at: Option<u32>,
    /// The steps that a `resolved` entry gave a tree for, with the entry.
    pub trees: Vec<(Seq, crate::body::Tree)>,
    /// Texts that came along, and that nothing in these entries commits to.
    pub stray_texts: Vec<ledger::Commitment>,
    /// What the host's draws rest on, oldest first.
    pub seeds: Vec<SeedRecord>,
    /// The host's draws, those that no longer count among them.
    pub draws: Vec<DrawRecord>,
}

/// A step that counts, or once did.
#[derive(Clone, Debug)]
pub struct StepRecord {
    /// From 1.
    pub number: u32,
    /// The entry that made it a step.
    pub entry: Seq,
    /// When that was.
    pub at: Moment,
    /// How it came to be a step.
    pub source: StepSource,
    /// The question that it answers, by its word; empty for a ruling and in a match of the past.
    pub what: String,
    /// The line, where every value in it is known here.
    pub text: Option<String>,
    /// The line as the public may read it.
    pub public: String,
    /// What each seat sent, as the public may read it.
    pub moves: BySeat<Option<String>>,
    /// The fields that stay sealed after it.
    pub keeps: Vec<(Party, &'static str)>,
    /// Its place in the score sheet.
    pub row: Row,
    /// What it did.
    pub effects: Vec<Effect>,
    /// The match after it; none where it could not be replayed.
    pub after: Option<Duel>,
    /// The digest that the record gives for the state after it.
    pub digest: Hash,
    /// The seal that counted for each seat: entry and, for each field, the name of its commitment there.
    pub seals: Vec<SealUse>,
}

/// How a step came into the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepSource {
    /// A decision was answered.
    Decision(DecisionId),
    /// The host drew.
    Drawn {
        /// Where the cards come from.
        source: DrawSource,
    },
    /// The umpire decided the result.
    Ruling,
    /// It was entered instead of a struck one; true where it differs from it.
    Correction {
        /// Whether its text was changed, rather than kept.
        changed: bool,
    },
    /// It was imported.
    Import,
}

/// Steps that no longer count.
#[derive(Clone, Debug)]
pub struct Strike {
    /// The entry.
    pub entry: Seq,
    /// Who struck.
    pub by: By,
    /// When.
    pub at: Moment,
    /// The first step that no longer counted.
    pub from: u32,
    /// Why.
    pub reason: Said,
    /// What was struck.
    pub struck: Vec<StepRecord>,
    /// What came instead.
    pub correction: Correction,
}

/// What counts instead of struck steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The match went on from there.
    None,
    /// The first of them was corrected, and the later ones were kept.
    First,
}

/// A ruling or a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The entry.
    pub entry: Seq,
    /// Who made it.
    pub by: By,
    /// When.
    pub at: Moment,
    /// What it says.
    pub text: Said,
    /// The clause it rests on.
    pub rule: Option<String>,
    /// Whether it is a ruling, rather than a remark.
    pub ruling: bool,
    /// Where it is an objection: whose, and to which step.
    pub objects: Option<(Seat, u32)>,
    /// The result it decides, where it does.
    pub result: Option<Outcome>,
    /// What a ruling does beside what it says.
    pub does: Option<Does>,
    /// How many steps counted when it was made.
    pub after_step: u32,
}

/// A seat's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatKey {
    /// The entry.
    pub entry: Seq,
    /// When it entered. What came before needs no signature.
    pub at: Moment,
    /// The key.
    pub key: PlayerKey,
}

/// A place where the entries contradict each other or the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The finding that it belongs to, from 1 to 7.
    pub finding: u8,
    /// The entry.
    pub entry: Seq,
    /// What is wrong, in a sentence.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl History {
    /// The match as it stands; the last state that could be replayed.
    #[must_use]
    pub fn duel(&self) -> &Duel {
        self.steps.iter().rev().find_map(|step| step.after.as_ref()).unwrap_or(&self.start)
    }

    /// The match before a step, where it could be replayed.
    #[must_use]
    pub fn before(&self, number: u32) -> Option<&Duel> {
        match number.checked_sub(2) {
            None => Some(&self.start),
            Some(previous) => self.steps.get(usize::try_from(previous).ok()?)?.after.as_ref(),
        }
    }

    /// How it stands by the steps that count.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.duel().outcome()
    }

    /// Whether the result was entered.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// Whether the players submit by themselves, as it stands now.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.opened.mode == Mode::Live && self.recorded_from.is_none()
    }

    /// The number that the next step will have.
    #[must_use]
    pub fn next_step(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// A player's name, or the seat where it was withdrawn.
    #[must_use]
    pub fn name(&self, seat: Seat) -> &str {
        self.names[seat].or(match seat {
            Seat::P1 => "Player 1",
            Seat::P2 => "Player 2",
        })
    }

    /// Both names.
    #[must_use]
    pub fn both_names(&self) -> BySeat<&str> {
        BySeat { p1: self.name(Seat::P1), p2: self.name(Seat::P2) }
    }

    /// The commitment that stands behind the value which was sent last for a party's field.
    #[must_use]
    pub fn last_seal(&self, whose: Party, field: &str) -> Option<&SealUse> {
        let uses = self.steps.iter().rev().flat_map(|step| &step.seals);
        uses.into_iter().find(|seal| seal.whose == whose && seal.field.as_str() == field)
    }

    /// Whether a commitment was opened.
    #[must_use]
    pub fn is_open(&self, entry: Seq, name: &ledger::Field) -> bool {
        self.seals.iter().filter(|seal| seal.entry == entry).any(|seal| {
            let at = seal.fields.iter().position(|field| field == name);
            at.and_then(|at| seal.opened_by.get(at)).is_some_and(Option::is_some)
        })
    }

    /// How many draws for a purpose count.
    #[must_use]
    pub fn draws_for(&self, purpose: &str) -> u32 {
        let drawn = self.steps.iter().filter(|step| step.what == purpose && step.public.starts_with("host:"));
        u32::try_from(drawn.count()).unwrap_or(u32::MAX)
    }

    /// Whether a decision stays open once one of `asks`, the questions of the state before, was answered and the match
    /// stands as in `after`. The answer to the last question closes the others, but for the one that gathers shares.
    pub(crate) fn stands(open: &OpenDecision, asks: &[Ask], answered: (&str, To), after: &Duel) -> bool {
        let is = |ask: &Ask, (what, to): (&str, To)| ask.what == what && ask.to == to;
        open.asked.what == SHARE
            || !asks.last().is_some_and(|last| is(last, answered)) && after.asks().iter().any(|ask| open.puts(ask))
    }
}
