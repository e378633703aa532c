//! The acts of an umpire on a live match, one call each, and the words that tests give them.

use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, Seq, UmpireId};
use record::body::Outage;
use record::write::{self, WriteContext, WriteError};

use crate::book::Book;

pub(crate) const NO_ITEMS: BySeat<&[&str]> = BySeat { p1: &[], p2: &[] };

pub(crate) fn id(decision: &str) -> DecisionId {
    decision.parse().unwrap()
}

impl Book {
    pub(crate) fn runs(&mut self) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::run_clocks(context, history))
    }

    pub(crate) fn pauses(&mut self, reason: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::pause_clocks(context, history, reason))
    }

    pub(crate) fn gives(&mut self, decision: &str, seconds: u32, reason: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::extend_clock(context, history, &id(decision), seconds, reason))
    }

    /// Every running clock gets back what these outages took from it.
    pub(crate) fn makes_up(&mut self, outages: &[Outage]) {
        self.writes(|context, history, _| {
            let server = WriteContext { by: Author::Server, entropy: &mut *context.entropy, ..*context };
            Ok(write::make_up(&server, history, outages))
        })
        .unwrap();
    }

    /// The server begins the next extension of a seat.
    pub(crate) fn spends(&mut self, decision: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| {
            let server = WriteContext { by: Author::Server, entropy: &mut *context.entropy, ..*context };
            write::spend_extension(&server, history, &id(decision))
        })
    }

    pub(crate) fn warns(&mut self, seat: Seat, text: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::warn(context, history, seat, Some("1.8"), text))
    }

    pub(crate) fn admits(&mut self, decision: &str, seat: Seat, text: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::admit(context, history, &id(decision), seat, None, text))
    }

    pub(crate) fn answers(&mut self, objection: Seq, text: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::answer(context, history, objection, None, text))
    }

    pub(crate) fn hands(&mut self, to: &UmpireId, reason: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| write::hand(context, history, to, reason))
    }
}
