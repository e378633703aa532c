//! Striking steps, and correcting one while the later ones stay.

use engine::{BySeat, Duel, Figure, Refusal, Seat, Sight};
use ledger::{Field, Hash, SealMessage, Seq};

use super::end::is_open;
use super::{Desk, WriteError, Written, place};
use crate::body::{Body, Instead, Resealed, Seated, Struck};
use crate::digest::state_digest;
use crate::history::{History, StepRecord};
use crate::secret::{Secret, Secrets};

/// What a strike would change.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first step that would no longer count.
    pub from: u32,
    /// Every step from there on.
    pub changes: Vec<Change>,
    /// The lines that would count instead; empty where the match would go on from there.
    lines: Vec<String>,
    /// The match as it would stand.
    pub after: Duel,
}

/// What becomes of one step.
#[derive(Clone, Debug)]
pub struct Change {
    /// The step.
    pub number: u32,
    /// Its row in the score sheet.
    pub round: u32,
    /// What it said.
    pub was: String,
    /// What it would say; none where it would no longer count.
    pub becomes: Option<String>,
    /// The figures after it, before and after the strike, where both exist.
    pub figures: Vec<(Figure, Option<u32>)>,
}

impl Plan {
    /// The lines that would count instead, with everything in them that is sealed; empty where the match would go on
    /// from there.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl Change {
    /// Whether anything after this step would be different.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.becomes.as_ref() != Some(&self.was) || self.figures.iter().any(|(was, now)| Some(was.value) != *now)
    }
}

fn struck(history: &History, from: u32) -> Result<(&[StepRecord], Duel), WriteError> {
    let not_there = WriteError::NotNow("there is no such step to strike");
    if history.opened.mode == crate::Mode::Imported {
        return Err(WriteError::NotNow("a match of the past is not corrected here: enter it again"));
    }
    let at = usize::try_from(from)
        .ok()
        .and_then(|from| from.checked_sub(1))
        .ok_or(WriteError::NotNow("steps count from 1"))?;
    let before = history.before(from).ok_or(not_there)?;
    match history.steps.get(at..) {
        Some(steps) if !steps.is_empty() => Ok((steps, before.clone())),
        _ => Err(WriteError::NotNow("there is no such step to strike")),
    }
}

/// What striking everything from a step on would change.
///
/// # Errors
/// There is no such step.
pub fn plan_strike(history: &History, from: u32) -> Result<Plan, WriteError> {
    let (steps, before) = struck(history, from)?;
    let changes = steps.iter().map(|step| change(step, None)).collect();
    Ok(Plan { from, changes, lines: Vec::new(), after: before })
}

/// What correcting the moves of one step would change, when all later steps stay as they were sent. Give the move of
/// each seat that is to be corrected.
///
/// # Errors
/// There is no such step; or the new move, or a later step after it, is refused by the rules.
pub fn plan_correction(history: &History, from: u32, moves: BySeat<Option<&str>>) -> Result<Plan, WriteError> {
    let (steps, before) = struck(history, from)?;
    let (mut duel, mut lines, mut changes) = (before, Vec::new(), Vec::new());
    for (n, step) in steps.iter().enumerate() {
        let text = step.text.as_deref().ok_or(WriteError::NotNow("a later step is still sealed"))?;
        let line = if n == 0 { corrected(text, moves)? } else { text.to_owned() };
        let played = duel.play(&line, None).map_err(|refusal| later(step.number, n, refusal))?;
        changes.push(change(step, Some((&played.public, &duel))));
        lines.push(played.text);
    }
    Ok(Plan { from, changes, lines, after: duel })
}

fn later(number: u32, n: usize, refusal: Refusal) -> Refusal {
    if n == 0 {
        return refusal;
    }
    let expected = format!("step {number} would become illegal: {}", refusal.expected);
    Refusal { expected, ..refusal }
}

/// The line with the moves of the seats that are to be corrected.
fn corrected(text: &str, moves: BySeat<Option<&str>>) -> Result<String, WriteError> {
    if text.starts_with("umpire:") {
        return Err(WriteError::NotNow("a ruling is not corrected: strike it and rule again"));
    }
    if let Some((p1, p2)) = text.split_once('/') {
        let number = p1.split_once(". ").map_or("", |(number, _)| number);
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        let (p1, p2) = (moves.p1.unwrap_or(p1.trim()), moves.p2.unwrap_or(p2.trim()));
        let dot = if number.is_empty() { "" } else { ". " };
        return Ok(format!("{number}{dot}{p1} / {p2}"));
    }
    let (seat, sent) = text.split_once(':').unwrap_or((text, ""));
    let new = if seat == Seat::P1.word() { moves.p1 } else { moves.p2 };
    Ok(format!("{seat}: {}", new.unwrap_or(sent.trim())))
}

fn change(step: &StepRecord, now: Option<(&String, &Duel)>) -> Change {
    let figures = |duel: &Duel| duel.view(Sight::Public).figures;
    let was = step.after.as_ref().map(figures).unwrap_or_default();
    let new = now.map(|(_, duel)| figures(duel)).unwrap_or_default();
    Change {
        number: step.number,
        round: step.row.round,
        was: step.public.clone(),
        becomes: now.map(|(line, _)| line.clone()),
        figures: was.into_iter().enumerate().map(|(n, figure)| (figure, new.get(n).map(|new| new.value))).collect(),
    }
}

/// Strikes as planned.
///
/// # Errors
/// The reason is missing, or an opening that is needed.
pub fn strike(
    desk: &mut Desk<'_>,
    history: &History,
    plan: &Plan,
    reason: &str,
    secrets: &Secrets,
) -> Result<Written, WriteError> {
    if reason.trim().is_empty() {
        return Err(WriteError::Missing("a strike needs its reason"));
    }
    let mut written = Written::default();
    let here = place(history, 0);
    let (steps, mut duel) = struck(history, plan.from)?;
    let (mut instead, mut openings) = (Vec::new(), Vec::new());
    for (line, was) in plan.lines.iter().zip(steps) {
        let before = duel.clone();
        let played = duel.play(line, None)?;
        let mut seals = Vec::new();
        for use_ in &was.seals {
            let hidden = played.keeps.iter().any(|(seat, name)| *seat == use_.seat && *name == use_.field.as_str());
            let secret = secrets.get(&(use_.entry, use_.name.clone()));
            let kept = value_of(&before, &played.text, use_.seat, &use_.field);
            let same = secret.is_some() && secret.map(|secret| &secret.value) == kept.as_ref();
            if !hidden {
                if let Some(secret) = secret.filter(|_| same && !is_open(history, use_.entry, &use_.name)) {
                    openings.push(secret.opening(use_.entry, use_.name.clone()));
                }
                continue;
            }
            let (seat, field) = (Seated(use_.seat), use_.field.clone());
            if same {
                let (entry, name) = (use_.entry.0, use_.name.clone());
                seals.push(Resealed { seat, field, entry, name, commitment: None });
            } else if let Some(value) = kept {
                seals.push(reseal(desk, &mut written, here, was.number, seat, field, value)?);
            }
        }
        // A correction may bring a secret where there was none.
        for (seat, name) in &played.keeps {
            let known = seals.iter().any(|seal| seal.seat.0 == *seat && seal.field.as_str() == *name);
            let field: Option<Field> = name.parse().ok().filter(|_| !known);
            let value = field.as_ref().and_then(|field| value_of(&before, &played.text, *seat, field));
            if let Some((field, value)) = field.zip(value) {
                seals.push(reseal(desk, &mut written, here, was.number, Seated(*seat), field, value)?);
            }
        }
        instead.push(Instead { dmn: played.public, digest: state_digest(&duel), seals });
    }
    let reason = desk.word(&mut written, here, "reason", reason)?;
    let body = Struck { from: plan.from, reason, steps: instead, openings };
    written.drafts.push(desk.draft(&Body::Struck(body)));
    written.drafts.extend(desk.asks(&duel, history.decisions, &[]));
    Ok(written)
}

/// The value of a field in a seat's part of a line.
fn value_of(before: &Duel, line: &str, seat: Seat, field: &Field) -> Option<String> {
    let part = match (line.split_once('/'), seat) {
        (Some((p1, _)), Seat::P1) => p1.split_once(". ").map_or(p1, |(_, sent)| sent),
        (Some((_, p2)), Seat::P2) => p2,
        (None, _) => line.split_once(':')?.1,
    };
    let what = before.asks().last()?.what;
    let values = before.split(seat, what, part.trim()).ok()?;
    values.into_iter().find(|(name, _)| *name == field.as_str()).map(|(_, value)| value)
}

/// A new seal, in the `struck` entry itself, for a value that a correction brought and that stays secret.
fn reseal(
    desk: &mut Desk<'_>,
    written: &mut Written,
    here: Seq,
    step: u32,
    seat: Seated,
    field: Field,
    value: String,
) -> Result<Resealed, WriteError> {
    let name: Field = format!("step-{step}-{}-{field}", seat.0)
        .parse()
        .map_err(|_| WriteError::NotNow("this correction cannot be sealed"))?;
    let decision =
        format!("struck-{}", here.0).parse().map_err(|_| WriteError::NotNow("this correction cannot be sealed"))?;
    let key = desk.key();
    let message = SealMessage {
        origin: desk.origin,
        match_id: desk.match_id,
        decision: &decision,
        seat: seat.sealer(),
        field: &name,
        asked: Hash::ZERO,
        value: &value,
    };
    let commitment = message.seal(&key)?;
    written.secrets.push((commitment, name.clone(), Secret { key, value }));
    Ok(Resealed { seat, field, entry: here.0, name, commitment: Some(commitment) })
}
