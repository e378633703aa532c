//! Strikes steps, and corrects one while the later ones stay.

use engine::dmn::quotes::{WITHHELD, is_text, split_outside_quotes, texts_or_signs, withhold};
use engine::{BySeat, Duel, Figure, Party, PlayedStep, Refusal, Seat};
use ledger::{Commitment, DecisionId, Field, Seq};

use super::{NewEntries, Pace, WriteContext, WriteError, opening, place};
use crate::body::{Body, CorrectedSeal, CorrectedStep, Opening, PartyWord, Struck};
use crate::digest::state_digest;
use crate::fold::withheld;
use crate::history::{History, StepRecord};
use crate::private_openings::Secrets;
use crate::seal::SealUse;

/// The new text of a step's parts; none for parts that stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amendment<'t> {
    /// The move of each seat.
    pub moves: BySeat<Option<&'t str>>,
    /// The host's draw.
    pub draw: Option<&'t str>,
    /// The umpire's word, from `says` on.
    pub said: Option<&'t str>,
}

/// The changes that a strike would make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first step that would no longer count.
    pub from: u32,
    /// Every step from there on.
    pub changes: Vec<StepChange>,
    /// The lines that would count instead; empty if the match would go on from there.
    lines: Vec<String>,
    /// The match after it.
    pub after: Duel,
}

/// The change of one step.
#[derive(Clone, Debug)]
pub struct StepChange {
    /// The step.
    pub number: u32,
    /// Its row in the score sheet.
    pub round: u32,
    /// Its old line.
    pub was: String,
    /// Its new line; none if it would no longer count.
    pub becomes: Option<String>,
    /// The figures after it, before and after the strike, if both exist.
    pub figures: Vec<(Figure, Option<i32>)>,
}

impl Plan {
    /// The lines that would count instead, with all sealed values; empty if the match would go on from there.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl StepChange {
    /// True if anything after this step would be different.
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

/// The changes if everything from a step on is struck.
pub fn plan_strike(history: &History, from: u32) -> Result<Plan, WriteError> {
    let (steps, before) = struck(history, from)?;
    let changes = steps.iter().map(|step| change(step, None)).collect();
    Ok(Plan { from, changes, lines: Vec::new(), after: before })
}

/// The changes if one step is corrected, and all later steps stay as they were sent.
pub fn plan_correction(history: &History, from: u32, amended: Amendment<'_>) -> Result<Plan, WriteError> {
    let (steps, before) = struck(history, from)?;
    if amended.draw.is_some() && steps.first().is_some_and(|step| history.is_host_drawn(step)) {
        return Err(WriteError::NotNow("Matchbook drew this: strike back to it, and the same draw comes again"));
    }
    let (mut duel, mut lines, mut changes) = (before, Vec::new(), Vec::new());
    for (n, step) in steps.iter().enumerate() {
        let text = step.text.as_deref().ok_or(WriteError::NotNow("a later step is still sealed"))?;
        let line = if n == 0 { corrected(text, amended)? } else { text.to_owned() };
        if !history.asks_as(step, &duel) {
            return Err(WriteError::NotNow("a later step would answer another question: strike back to here instead"));
        }
        let was = history.before(step.number).and_then(|before| before.draw_basis());
        let moved = duel.draw_basis() != was;
        let played = duel.play(&line, None).map_err(|refusal| later(step.number, n, refusal))?;
        let differs = moved || (&played.public, &played.keeps) != (&step.public, &step.keeps);
        if differs && history.is_host_drawn(step) {
            return Err(WriteError::NotNow("a draw of Matchbook's would be another one: strike back to here instead"));
        }
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

fn corrected(text: &str, amended: Amendment<'_>) -> Result<String, WriteError> {
    let moves = amended.moves;
    if text.starts_with("umpire: says") {
        let said = amended.said.map(|said| said.trim().trim_start_matches("says "));
        return Ok(said.map_or_else(|| text.to_owned(), |said| format!("umpire: says {said}")));
    }
    if text.starts_with("umpire:") {
        return Err(WriteError::NotNow("a ruling is not corrected: strike it and rule again"));
    }
    let mut parts = split_outside_quotes(text, b'/').map(|(_, part)| part);
    if let (Some(p1), Some(p2)) = (parts.next(), parts.next()) {
        let number = p1.split_once(". ").map_or("", |(number, _)| number);
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        let (p1, p2) = (moves.p1.unwrap_or(p1.trim()), moves.p2.unwrap_or(p2.trim()));
        let dot = if number.is_empty() { "" } else { ". " };
        return Ok(format!("{number}{dot}{p1} / {p2}"));
    }
    let (whose, sent) = text.split_once(':').unwrap_or((text, ""));
    let new = match whose.parse::<Seat>() {
        Ok(seat) => moves[seat],
        Err(_) => amended.draw,
    };
    Ok(format!("{whose}: {}", new.unwrap_or(sent.trim())))
}

fn change(step: &StepRecord, now: Option<(&String, &Duel)>) -> StepChange {
    let was = step.after.as_ref().map(|duel| duel.figures()).unwrap_or_default();
    let new = now.map(|(_, duel)| duel.figures()).unwrap_or_default();
    StepChange {
        number: step.number,
        round: step.row.round,
        was: step.public.clone(),
        becomes: now.map(|(line, _)| line.clone()),
        figures: was.into_iter().enumerate().map(|(n, figure)| (figure, new.get(n).map(|new| new.value))).collect(),
    }
}

/// Strikes as planned.
pub fn strike(
    context: &mut WriteContext<'_>,
    history: &History,
    plan: &Plan,
    reason: &str,
    secrets: &Secrets,
) -> Result<NewEntries, WriteError> {
    if reason.trim().is_empty() {
        return Err(WriteError::Missing("a strike needs its reason"));
    }
    let here = place(history, 0);
    let decision = format!("struck-{}", here.0).parse().map_err(|_| UNSEALABLE)?;
    let (steps, mut duel) = struck(history, plan.from)?;
    let mut again = CorrectionSeals {
        history,
        secrets,
        here,
        decision,
        written: NewEntries::default(),
        openings: Vec::new(),
        last: Vec::new(),
    };
    let mut instead = Vec::new();
    for (line, was) in plan.lines.iter().zip(steps) {
        let before = duel.clone();
        let played = duel.play(line, None)?;
        let mut seals = again.kept_seals(context, was, &before, &played)?;
        again.add_new_seals(context, was, &before, &played, &mut seals)?;
        again.last.extend(seals.iter().cloned());
        again.open_shown(plan.from, &played)?;
        let words = if was.text.as_ref() == Some(line) { None } else { again.texts(context, was.number, &played)? };
        instead.push(CorrectedStep { dmn: withheld(&played.public), digest: state_digest(&duel), seals, words });
    }
    let CorrectionSeals { mut written, openings, .. } = again;
    let reason = context.word(&mut written, here, "reason", reason)?;
    let body = Struck { from: plan.from, reason, steps: instead, openings };
    written.drafts.push(context.draft(&Body::Struck(body)));
    context.enter_keys(&mut written, history)?;
    written.drafts.extend(context.asks_again(Pace::of(history).awaited(), &duel, history));
    Ok(written)
}

/// The seals and openings of the lines that count instead of struck ones.
struct CorrectionSeals<'h> {
    history: &'h History,
    secrets: &'h Secrets,
    here: Seq,
    decision: DecisionId,
    written: NewEntries,
    openings: Vec<Opening>,
    last: Vec<CorrectedSeal>,
}

impl CorrectionSeals<'_> {
    /// The seals of a line whose step had seals. A value that stays the same keeps its seal; a value that the line now
    /// shows is opened.
    fn kept_seals(
        &mut self,
        context: &mut WriteContext<'_>,
        was: &StepRecord,
        before: &Duel,
        played: &PlayedStep,
    ) -> Result<Vec<CorrectedSeal>, WriteError> {
        let mut seals = Vec::new();
        for SealUse { whose, field, entry, name } in &was.seals {
            let hidden = played.keeps.iter().any(|(party, keeps)| party == whose && *keeps == field.as_str());
            let secret = self.secrets.get(&(*entry, name.clone()));
            let value = value_of(before, &was.what, &played.text, *whose, field);
            let same = secret.is_some() && secret.map(|secret| &secret.value) == value.as_ref();
            if !hidden {
                if let Some(secret) = secret.filter(|_| same && !self.history.is_open(*entry, name)) {
                    self.openings.push(secret.opening(*entry, name.clone()));
                }
            } else if same {
                let (seat, field, name) = (PartyWord(*whose), field.clone(), name.clone());
                seals.push(CorrectedSeal { seat, field, entry: entry.0, name, commitment: None });
            } else if let Some(value) = value {
                seals.push(self.reseal(context, was.number, PartyWord(*whose), field.clone(), value)?);
            }
        }
        Ok(seals)
    }

    fn add_new_seals(
        &mut self,
        context: &mut WriteContext<'_>,
        was: &StepRecord,
        before: &Duel,
        played: &PlayedStep,
        seals: &mut Vec<CorrectedSeal>,
    ) -> Result<(), WriteError> {
        for (whose, name) in &played.keeps {
            let known = seals.iter().any(|seal| seal.seat.0 == *whose && *name == seal.field.as_str());
            let field: Option<Field> = name.parse().ok().filter(|_| !known);
            let value = field.as_ref().and_then(|field| value_of(before, &was.what, &played.text, *whose, field));
            if let Some((field, value)) = field.zip(value) {
                seals.push(self.reseal(context, was.number, PartyWord(*whose), field, value)?);
            }
        }
        Ok(())
    }

    fn open_shown(&mut self, from: u32, played: &PlayedStep) -> Result<(), WriteError> {
        for (whose, field) in &played.shows {
            let new = self.last.iter().rev().find(|seal| seal.seat.0 == *whose && *field == seal.field.as_str());
            let new = new.map(|seal| (Seq(seal.entry), seal.name.clone()));
            let Some((entry, name)) = new.or_else(|| sealed_before(self.history, from, *whose, field)) else {
                continue;
            };
            let opened = self.openings.iter().any(|opening| opening.entry == entry.0 && opening.field == name);
            if opened || self.history.is_open(entry, &name) {
                continue;
            }
            let fresh = self.written.secrets.iter().find(|(_, field, _)| entry == self.here && *field == name);
            self.openings.push(match fresh {
                Some((_, _, secret)) => secret.opening(entry, name),
                None => opening(self.secrets, entry, &name)?,
            });
        }
        Ok(())
    }

    /// The texts of a changed line; none where it has none.
    fn texts(
        &mut self,
        context: &mut WriteContext<'_>,
        step: u32,
        played: &PlayedStep,
    ) -> Result<Option<Vec<Option<Commitment>>>, WriteError> {
        let line = &played.public;
        if line.starts_with("umpire: result") || !withhold(line).contains(WITHHELD) {
            return Ok(None);
        }
        let mut words = Vec::new();
        for text in texts_or_signs(line) {
            let field = format!("text-{step}-{}", words.len());
            let word = is_text(text).then(|| context.quote(&mut self.written, self.here, &field, text));
            words.push(word.transpose()?);
        }
        Ok(Some(words))
    }

    fn reseal(
        &mut self,
        context: &mut WriteContext<'_>,
        step: u32,
        seat: PartyWord,
        field: Field,
        value: String,
    ) -> Result<CorrectedSeal, WriteError> {
        let name: Field = format!("step-{step}-{}-{field}", seat.0).parse().map_err(|_| UNSEALABLE)?;
        let commitment = context.unasked(&mut self.written, &self.decision, seat.0, &name, value)?;
        Ok(CorrectedSeal { seat, field, entry: self.here.0, name, commitment: Some(commitment) })
    }
}

fn sealed_before(history: &History, from: u32, whose: Party, field: &str) -> Option<(Seq, Field)> {
    let seals = history.steps.iter().filter(|step| step.number < from).flat_map(|step| &step.seals);
    let last = seals.rev().find(|seal| seal.whose == whose && seal.field.as_str() == field);
    last.map(|seal| (seal.entry, seal.name.clone()))
}

const UNSEALABLE: WriteError = WriteError::NotNow("this correction cannot be sealed");

fn value_of(before: &Duel, what: &str, line: &str, whose: Party, field: &Field) -> Option<String> {
    let mut parts = split_outside_quotes(line, b'/').map(|(_, part)| part);
    let part = match (parts.next(), parts.next(), whose) {
        (Some(p1), Some(_), Party::Seat(Seat::P1)) => p1.split_once(". ").map_or(p1, |(_, sent)| sent),
        (_, Some(p2), Party::Seat(Seat::P2)) => p2,
        _ => line.split_once(':')?.1,
    };
    let values = before.split(whose, what, part.trim()).ok()?;
    values.into_iter().find(|(name, _)| *name == field.as_str()).map(|(_, value)| value)
}
