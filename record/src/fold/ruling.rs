//! Rulings, their effects, and handovers.

use engine::{Outcome, Seat, Verdict};
use ledger::{Author, Entry};

use super::step::Line;
use super::strike::{REASON_ELSEWHERE, decision_line};
use super::{Fold, remark};
use crate::body::{DecidedResult, Handed, Ruled, RulingEffect};
use crate::history::{Remark, StepSource};
use crate::rule::Rule;
use crate::ruling::Handover;
use crate::share::SHARE;

impl Fold<'_> {
    pub(super) fn ruled(&mut self, entry: &Entry, body: &Ruled) {
        let text = self.word(entry.seq, "text", body.text);
        let reason = text.or(REASON_ELSEWHERE).to_owned();
        let result = body.result.as_ref().and_then(|decided| self.decided(entry, decided, &reason));
        if let Some(does) = &body.does {
            self.does(entry, does);
        }
        let (rule, does) = (body.rule.clone(), body.does.clone());
        self.remark(entry, Remark { rule, result, does, ruling: true, ..remark(entry, text) });
    }

    fn decided(&mut self, entry: &Entry, decided: &DecidedResult, reason: &str) -> Option<Outcome> {
        let Some(verdict) = verdict(&decided.verdict) else {
            self.fault(
                Rule::Body,
                entry.seq,
                "a ruling decides for p1, p2, undecided or void",
                &"a verdict",
                &decided.verdict,
            );
            return None;
        };
        if decided.step != self.history.next_step() {
            self.fault(
                Rule::StepNumber,
                entry.seq,
                "steps are numbered without gaps",
                &self.history.next_step(),
                &decided.step,
            );
        }
        self.history.open.clear();
        // The result that was entered before is void, and has to be entered again.
        self.history.ended = None;
        let line = decision_line(verdict, reason);
        let (full, digest) = (Some(line.clone()), decided.digest);
        self.play(
            entry,
            Line { what: String::new(), public: line, full, seals: Vec::new(), digest, source: StepSource::Ruling },
        );
        Some(self.history.outcome())
    }

    fn does(&mut self, entry: &Entry, does: &RulingEffect) {
        match does {
            RulingEffect::Warns(_) => {}
            RulingEffect::Answers(objection) => self.answered(entry, *objection),
            RulingEffect::Admits(admitted) => {
                let open = self.history.open.iter().find(|open| open.asked.decision == admitted.decision);
                let found = format!("{} of {}", admitted.decision, admitted.seat.0);
                if !open.is_some_and(|open| open.asked.seats.contains(&admitted.seat)) {
                    let what = "it admits an answer that nobody waits for";
                    return self.fault(Rule::Admits, entry.seq, what, &"an open decision", &found);
                }
                let sealed = open.and_then(|open| open.sealed.first()).map(|(place, _)| *place);
                if let Some(place) = sealed {
                    let what = "an answer is admitted before anything is sealed for its decision";
                    self.fault(Rule::Admits, entry.seq, what, &format!("a ruling before entry {place}"), &found);
                }
            }
            RulingEffect::Records => {
                if !self.history.is_live() || self.history.is_ended() {
                    let what = "a live match goes on as a recorded one while it runs, and once";
                    self.fault(Rule::TypingTaken, entry.seq, what, &"a match whose players submit", &"another");
                }
                // The questions to the players are asked again, of the umpire.
                self.history.open.clear();
                self.history.recorded_from = Some(entry.seq);
            }
            RulingEffect::Shares => self.begins_shares(entry),
            RulingEffect::WithoutRound => self.waives_round(entry),
        }
    }

    fn begins_shares(&mut self, entry: &Entry) {
        let history = &self.history;
        let may = history.new_shares.is_none() && history.may_open_last_share();
        if !may || history.is_ended() {
            let what = "new shares are gathered once, and where the host's last one can be opened";
            let due = "a share of the host's from which nothing hidden was drawn";
            return self.fault(Rule::GatheredAnew, entry.seq, what, &due, &"another state");
        }
        // What was asked for the share that is given up is not asked any more.
        self.history.open.retain(|open| open.asked.what != SHARE);
        self.history.new_shares = Some(entry.seq);
        let is_open = self.history.seeds.last().is_some_and(|last| self.history.is_share_open(last));
        if let Some(seed) = self.history.seeds.last_mut().filter(|_| !is_open) {
            seed.given_up = Some(entry.seq);
        }
    }

    pub(super) fn handed(&mut self, entry: &Entry, body: Handed) {
        if !matches!(entry.by, Author::Umpire(_)) {
            self.fault(Rule::Author, entry.seq, "an umpire hands a match over, or takes it", &"an umpire", &entry.by);
        }
        let reason = self.word(entry.seq, "reason", body.reason);
        let (by, to) = (entry.by.clone(), Author::Umpire(body.to));
        self.history.handovers.push(Handover { entry: entry.seq, by, at: entry.at, to, reason });
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "p1" => Some(Verdict::Won(Seat::P1)),
        "p2" => Some(Verdict::Won(Seat::P2)),
        "undecided" => Some(Verdict::Undecided),
        "void" => Some(Verdict::Void),
        _ => None,
    }
}
