//! Resolves a decision whose seals have entered and are covered by a tree.

use engine::dmn::quotes::withhold;
use engine::{Ask, BySeat, Seat};
use ledger::DecisionId;

use super::{NewEntries, Pace, WriteContext, WriteError, check_replayed, shown, still_open};
use crate::body::{Body, Resolved, SeatWord, Tree};
use crate::clock::Clock;
use crate::digest::state_digest;
use crate::history::History;
use crate::private_openings::Secrets;

/// The tree under which a decision is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// A tree that covers the decision's seals.
    pub tree: Tree,
    /// Enough witnesses cosigned it. Only a match that waits for them says so.
    pub witnessed: bool,
}

/// Resolves a decision: makes the step's openings public, plays it, and asks the next questions.
pub fn resolve(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    secrets: &Secrets,
    covered: Cover,
) -> Result<NewEntries, WriteError> {
    check_replayed(history)?;
    let open = history.open.iter().find(|open| open.asked.decision == *decision);
    let open = open.ok_or(WriteError::NotNow("this decision is not open any more"))?;
    let mut counted: BySeat<Option<u32>> = BySeat::default();
    let mut moves = BySeat::default();
    for SeatWord(seat) in &open.asked.seats {
        let seal = open.sealed.iter().rev().find(|(_, sealed)| sealed.seat.0 == *seat);
        let Some((seq, _)) = seal else {
            moves[*seat] = Some("-".to_owned());
            continue;
        };
        let missing = WriteError::Missing("the openings of this decision's seals are not here");
        let values = open.asked.fields.iter().map(|field| secrets.get(&(*seq, field.clone())));
        let values: Vec<&str> =
            values.map(|secret| secret.map(|secret| secret.value.as_str())).collect::<Option<_>>().ok_or(missing)?;
        counted[*seat] = Some(seq.0);
        moves[*seat] = Some(history.duel().join(&open.asked.what, &values));
    }
    let mut duel = history.duel().clone();
    let played = duel.play(&duel.line(&moves), None)?;
    let stays =
        |seat: Seat, field: &str| played.keeps.iter().any(|(whose, name)| *whose == seat.into() && *name == field);
    let (mut written, mut openings) = (NewEntries::default(), shown(history, &played.shows, secrets)?);
    for (seat, seq) in counted.each() {
        let Some(seq) = seq.map(ledger::Seq) else { continue };
        let commitments = open.sealed.iter().find(|(place, _)| *place == seq).map(|(_, sealed)| &sealed.commitments);
        for (field, commitment) in open.asked.fields.iter().zip(commitments.into_iter().flatten()) {
            let secret = secrets.get(&(seq, field.clone())).filter(|_| !stays(seat, field.as_str()));
            match secret {
                Some(secret) if history.ruleset().is_text(field.as_str()) => {
                    written.texts.push((*commitment, secret.text()));
                }
                Some(secret) => openings.push(secret.opening(seq, field.clone())),
                None => {}
            }
        }
    }
    let resolved = Resolved {
        decision: decision.clone(),
        step: history.next_step(),
        dmn: withhold(&played.public),
        counted: counted.into(),
        openings,
        tree: covered.tree,
        digest: state_digest(&duel),
        witnessed: (history.opened.wait.is_some() && !open.sealed.is_empty()).then_some(covered.witnessed),
    };
    // Where nobody answered, no seal brought the keys.
    context.enter_keys(&mut written, history)?;
    written.drafts.push(context.draft(&Body::Resolved(resolved)));
    let answered = open.to().ok_or(WriteError::NotNow("this decision asks nobody"))?;
    let still = still_open(history, (&open.asked.what, answered), &duel);
    let until = |ask: &Ask| {
        let again = ask.goes_on() && ask.what == *open.asked.what && ask.to == answered;
        again.then(|| history.clock(decision).and_then(Clock::deadline)).flatten()
    };
    // Two rounds in which nobody sends anything: the next clock waits for the umpire.
    let silent = open.asked.seats.len() == 2 && counted == BySeat::default();
    let is_alone = silent && history.silent_in_a_row() >= 1;
    let pace = if is_alone { Pace::of(history).awaited() } else { Pace::of(history) };
    written.drafts.extend(context.asks_behind(pace, &duel, Some(history), &still, until));
    Ok(written)
}
