//! A match, from its entries.

use std::collections::BTreeMap;

use engine::{Ask, BySeat, Duel, Outcome, Party, Ruleset, Seat, Setup, To};
use ledger::{Author, DecisionId, DrawIndex, Entry, Hash, MatchId, Moment, Origin, PlayerKey, Seq};

use crate::beacon_round::RoundRecord;
pub use crate::body::Mode;
use crate::body::{LinkAct, Linked, Opened, ReplacedSubmission, RulingEffect};
use crate::clock::Clock;
use crate::decision::{OpenDecision, Question};
use crate::early_close::{EarlyClose, FinalClose};
use crate::objection::Objection;
use crate::rule::Rule;
use crate::ruling::Handover;
use crate::seal::{SealRecord, SealUse};
use crate::seed::{DrawRecord, SeedRecord};
use crate::share::SHARE;
pub use crate::step_record::{StepRecord, StepSource};
use crate::text::CommittedText;
use crate::vouching::SeatVouching;
use crate::wait::WaitRecord;

/// A match folded to its last entry.
#[derive(Clone, Debug)]
pub struct History {
    /// The log's name.
    pub origin: Origin,
    /// The match.
    pub match_id: MatchId,
    /// Its opening.
    pub opened: Opened,
    /// The leaf hash of the opening.
    pub opened_leaf: Hash,
    /// The umpire who opened it.
    pub umpire: Author,
    /// The time of the opening.
    pub opened_at: Moment,
    /// Ruleset, DMO and items, as the engine needs them.
    pub setup: Setup,
    /// The players.
    pub names: BySeat<CommittedText>,
    /// The tournament.
    pub event: Option<CommittedText>,
    /// Other tags of an imported file, each `Name value`.
    pub tags: Vec<CommittedText>,
    /// The match before its first step.
    pub start: Duel,
    /// The steps that count, in order.
    pub steps: Vec<StepRecord>,
    /// The steps that no longer count.
    pub strikes: Vec<Strike>,
    /// Rulings, remarks and objections.
    pub remarks: Vec<Remark>,
    /// The handovers to other umpires, in order.
    pub handovers: Vec<Handover>,
    /// The ruling since which the umpire types for both seats of a live match.
    pub recorded_from: Option<Seq>,
    /// The players' objections.
    pub objections: Vec<Objection>,
    /// The decisions that are asked and not answered yet.
    pub open: Vec<OpenDecision>,
    /// The clocks of all questions that a clock closes, open or closed, in the order of the questions.
    pub clocks: Vec<Clock>,
    /// The decisions that were closed early, with a default.
    pub early_closes: Vec<EarlyClose>,
    /// The decisions that closed early because all answers were final.
    pub final_closes: Vec<FinalClose>,
    /// Every seal of the match.
    pub seals: Vec<SealRecord>,
    /// The key of each seat that has one.
    pub keys: BySeat<Option<SeatKey>>,
    /// The acts with private links to the seats, in order.
    pub links: Vec<LinkRecord>,
    /// Submissions that did not count, with the entry that contains them.
    pub replaced: Vec<(Seq, ReplacedSubmission)>,
    /// Every question to a seat.
    pub questions: BTreeMap<DecisionId, Question>,
    /// The number of decisions asked so far.
    pub decisions: u32,
    /// The source of an imported match.
    pub source: Option<CommittedText>,
    /// The latest entry of the result, if there is one, and its time.
    pub ended: Option<(Seq, Moment)>,
    /// The place of the next entry.
    pub head: ledger::Head,
    /// The heads since the last entry that an act could conflict with. A key, and the use of a link, conflict with
    /// nothing.
    pub quiet_heads: Vec<ledger::Head>,
    /// The clock of the last entry.
    pub last_at: Moment,
    /// True if every entry names the leaf hash of the one before it.
    pub is_chained: bool,
    /// The places at which the entries contradict each other or the rules.
    pub faults: Vec<Fault>,
    /// The first step that cannot be replayed, because a value in it is still sealed.
    pub closed_at: Option<u32>,
    /// The trees that `resolved` entries name, with the entry.
    pub trees: Vec<(Seq, crate::body::Tree)>,
    /// In a match that waits for witnesses, every decision that was resolved after a seal.
    pub waits: Vec<WaitRecord>,
    /// Texts of this copy without a commitment in these entries.
    pub stray_texts: Vec<ledger::Commitment>,
    /// The basis of the host's draws, oldest first.
    pub seeds: Vec<SeedRecord>,
    /// The ruling by which shares are gathered anew, until the host has sealed its new one.
    pub new_shares: Option<Seq>,
    /// The host's draws, including those that no longer count.
    pub draws: Vec<DrawRecord>,
    /// The numbers of the host's draws that count, by step.
    pub drawn: BTreeMap<u32, DrawIndex>,
    /// The rounds of the beacon that the host named for draws.
    pub rounds: Vec<RoundRecord>,
}

impl History {
    pub(crate) fn new(origin: &Origin, first: &Entry, opened: Opened, setup: Setup, start: Duel) -> Self {
        Self {
            origin: origin.clone(),
            match_id: first.match_id,
            opened_leaf: Hash::ZERO,
            umpire: first.by.clone(),
            opened_at: first.at,
            setup,
            names: BySeat { p1: CommittedText::Withdrawn, p2: CommittedText::Withdrawn },
            event: None,
            tags: Vec::new(),
            start,
            steps: Vec::new(),
            strikes: Vec::new(),
            remarks: Vec::new(),
            handovers: Vec::new(),
            recorded_from: None,
            objections: Vec::new(),
            open: Vec::new(),
            clocks: Vec::new(),
            early_closes: Vec::new(),
            final_closes: Vec::new(),
            seals: Vec::new(),
            keys: BySeat { p1: None, p2: None },
            links: Vec::new(),
            replaced: Vec::new(),
            questions: BTreeMap::new(),
            decisions: 0,
            source: None,
            ended: None,
            head: ledger::Head::GENESIS,
            is_chained: true,
            quiet_heads: Vec::new(),
            last_at: first.at,
            faults: Vec::new(),
            closed_at: None,
            trees: Vec::new(),
            waits: Vec::new(),
            stray_texts: Vec::new(),
            seeds: Vec::new(),
            new_shares: None,
            draws: Vec::new(),
            drawn: BTreeMap::new(),
            rounds: Vec::new(),
            opened,
        }
    }
}

/// Steps that no longer count.
#[derive(Clone, Debug)]
pub struct Strike {
    /// The entry.
    pub entry: Seq,
    /// The umpire who struck.
    pub by: Author,
    /// The time.
    pub at: Moment,
    /// The first step that no longer counts.
    pub from: u32,
    /// The reason.
    pub reason: CommittedText,
    /// The struck steps.
    pub struck: Vec<StepRecord>,
    /// Their replacement.
    pub correction: Correction,
}

/// The replacement of struck steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// None: the match went on from there.
    None,
    /// The first of them was corrected, and the later ones were kept.
    First,
}

/// A ruling or a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The entry.
    pub entry: Seq,
    /// Its author.
    pub by: Author,
    /// The time.
    pub at: Moment,
    /// The text.
    pub text: CommittedText,
    /// The clause that it applies.
    pub rule: Option<String>,
    /// It is a ruling, not a remark.
    pub ruling: bool,
    /// For an objection, the seat and the step.
    pub objects: Option<(Seat, u32)>,
    /// The result that it decides, if any.
    pub result: Option<Outcome>,
    /// The effect of a ruling besides its text.
    pub does: Option<RulingEffect>,
    /// The number of steps that counted at the time.
    pub after_step: u32,
}

/// A seat's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatKey {
    /// The entry.
    pub entry: Seq,
    /// The time of that entry. Earlier submissions need no signature.
    pub at: Moment,
    /// The key.
    pub key: PlayerKey,
    /// The registered player who vouched for it.
    pub vouching: SeatVouching,
}

/// An act with a private link to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRecord {
    /// The entry.
    pub entry: Seq,
    /// Its author.
    pub by: Author,
    /// The time.
    pub at: Moment,
    /// The link, and the act.
    pub linked: Linked,
}

/// A place where the entries contradict each other or the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is broken.
    pub rule: Rule,
    /// The entry.
    pub entry: Seq,
    /// The fault, in a sentence.
    pub text: String,
    /// The expected value.
    pub expected: String,
    /// The value found.
    pub found: String,
}

impl History {
    /// The rules of the match.
    #[must_use]
    pub fn ruleset(&self) -> &dyn Ruleset {
        self.start.ruleset()
    }

    /// The match after the last step that could be replayed.
    #[must_use]
    pub fn duel(&self) -> &Duel {
        self.steps.iter().rev().find_map(|step| step.after.as_ref()).unwrap_or(&self.start)
    }

    /// The match before a step, if it could be replayed.
    #[must_use]
    pub fn before(&self, number: u32) -> Option<&Duel> {
        match number.checked_sub(2) {
            None => Some(&self.start),
            Some(previous) => self.steps.get(usize::try_from(previous).ok()?)?.after.as_ref(),
        }
    }

    /// The number of questions in a row, up to now, that nobody answered although both seats were asked.
    #[must_use]
    pub fn silent_in_a_row(&self) -> usize {
        let silent = |step: &&StepRecord| {
            let both = Seat::BOTH.iter().all(|seat| step.is_of(*seat));
            matches!(step.source, StepSource::Decision(_)) && both && step.seals.is_empty()
        };
        self.steps.iter().rev().take_while(silent).count()
    }

    /// The outcome, from the steps that count.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.duel().outcome()
    }

    /// True if the result was entered.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// True if the players now submit by themselves.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.opened.mode == Mode::Live && self.recorded_from.is_none()
    }

    /// True if an act that saw this head can follow now: nothing was entered since that it could conflict with.
    #[must_use]
    pub fn allows_act_on(&self, seen: ledger::Head) -> bool {
        self.quiet_heads.contains(&seen)
    }

    /// True if the record says that the umpire may read what the seats send before a decision closes; none if it says
    /// nothing about that.
    #[must_use]
    pub const fn umpire_looks(&self) -> Option<bool> {
        self.opened.looks
    }

    /// The number of links that were made to a seat.
    #[must_use]
    pub fn links_made(&self, seat: Seat) -> u32 {
        u32::try_from(self.link_acts(seat, LinkAct::Made)).unwrap_or(u32::MAX)
    }

    fn link_acts(&self, seat: Seat, act: LinkAct) -> usize {
        self.links.iter().filter(|link| link.linked.seat.0 == seat && link.linked.act == act).count()
    }

    /// True if more than one browser or program uses the links to a seat. Then one that has not the seat's key may send
    /// unsigned answers.
    #[must_use]
    pub fn has_several_senders(&self, seat: Seat) -> bool {
        self.link_acts(seat, LinkAct::Followed) > 1
    }

    /// The number of the next step.
    #[must_use]
    pub fn next_step(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// A player's name, or the seat if the name was withdrawn.
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

    /// Both names for people: `Ada – Bo`.
    #[must_use]
    pub fn bout(&self) -> String {
        format!("{} \u{2013} {}", self.name(Seat::P1), self.name(Seat::P2))
    }

    /// The commitment to the value that was sent last for a party's field.
    #[must_use]
    pub fn last_seal(&self, whose: Party, field: &str) -> Option<&SealUse> {
        let uses = self.steps.iter().rev().flat_map(|step| &step.seals);
        uses.into_iter().find(|seal| seal.whose == whose && seal.field.as_str() == field)
    }

    /// True if a commitment was opened.
    #[must_use]
    pub fn is_open(&self, entry: Seq, name: &ledger::Field) -> bool {
        self.seals.iter().filter(|seal| seal.entry == entry).any(|seal| {
            let at = seal.fields.iter().position(|field| field == name);
            at.and_then(|at| seal.opened_by.get(at)).is_some_and(Option::is_some)
        })
    }

    /// True if a state asks what a step of a declared game answers, also where other answers would do.
    pub(crate) fn asks_as(&self, step: &StepRecord, before: &Duel) -> bool {
        let declared = self.opened.game.is_some() && !step.what.is_empty();
        !declared || before.asks().iter().any(|ask| ask.what == *step.what)
    }

    /// The number of draws for a purpose that count.
    #[must_use]
    pub fn draws_for(&self, purpose: &str) -> u32 {
        let drawn = self.steps.iter().filter(|step| step.what == purpose && step.public.starts_with("host:"));
        u32::try_from(drawn.count()).unwrap_or(u32::MAX)
    }

    /// True if a decision stays open after an answer to one of `asks`, the questions of the state before, which led to
    /// `after`. The answer to the last question closes the others, except the one that gathers shares.
    pub(crate) fn stands(open: &OpenDecision, asks: &[Ask], answered: (&str, To), after: &Duel) -> bool {
        let is = |ask: &Ask, (what, to): (&str, To)| ask.what == what && ask.to == to;
        open.asked.what == SHARE
            || !asks.last().is_some_and(|last| is(last, answered)) && after.asks().iter().any(|ask| open.puts(ask))
    }
}
