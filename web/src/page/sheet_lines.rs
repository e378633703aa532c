//! The lines of a score sheet: rounds that count, rounds that were struck, and what people said between them.

use engine::{Duel, Figure, Lamp, Panel, Seat};
use ledger::By;
use record::{Correction, Remark, Said, StepRecord, StepSource, Strike};

use super::board::change;
use super::sheet::Columns;
use super::{Act, Beat, RuleLink, Shown, When, capital, choice};

/// A line of the sheet.
#[derive(Clone, Debug)]
pub enum Line {
    /// A round.
    Round(Box<RoundLine>),
    /// Something that was said.
    Told(Box<Told>),
}

/// A round.
#[derive(Clone, Debug)]
pub struct RoundLine {
    /// Its label, such as `7b`.
    pub label: String,
    /// Its number.
    pub round: u32,
    /// "struck" or "revised".
    pub word: Option<&'static str>,
    /// Whether it no longer counts.
    pub struck: bool,
    /// Whether it is the last of a match that still runs.
    pub now: bool,
    pub(super) p1: Side,
    pub(super) p2: Side,
    pub(super) shared: Vec<Cell>,
    pub(super) beats: Vec<(Beat, String)>,
}

/// A ruling, a remark, a strike.
#[derive(Clone, Debug)]
pub struct Told {
    /// Whether a person changed or decided something with it.
    pub ruling: bool,
    /// What it is, such as "Ruling".
    pub title: String,
    /// What it says.
    pub text: String,
    /// The rule that it rests on.
    pub rule: Option<RuleLink>,
    /// Who said it; empty where nobody did.
    pub by: String,
    /// When.
    pub at: Option<When>,
}

/// One seat's cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) acts: Vec<Act>,
    pub(super) none: Option<String>,
    pub(super) lamps: Vec<Lamp>,
    pub(super) own: Vec<Cell>,
}

/// A figure after the round.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) value: Option<u32>,
    pub(super) leads: bool,
    /// How much it changed in the round, with its sign.
    pub(super) change: Option<String>,
}

impl Side {
    pub(super) fn lit(&self) -> String {
        let lit: Vec<&str> = self.lamps.iter().filter(|lamp| lamp.lit).map(|lamp| lamp.name).collect();
        if lit.is_empty() { "none".to_owned() } else { lit.join(", ") }
    }
}

/// Every line, in order.
pub(super) fn lines(shown: &Shown<'_>, columns: &Columns) -> Vec<Line> {
    let history = shown.history;
    let rows = history.rows();
    let mut lines = Vec::new();
    let mut remarks = Placed::of(&history.remarks, |remark| remark.after_step);
    let mut strikes = Placed::of(&history.strikes, |strike| strike.from.saturating_sub(1));
    lines.extend(remarks.up_to(0).map(|remark| told_remark(shown, remark)));
    for (n, row) in rows.iter().enumerate() {
        let last = row.steps.last().map_or(0, |step| step.number);
        for strike in strikes.up_to(last.saturating_sub(1)) {
            lines.extend(struck(shown, columns, strike));
        }
        if row.steps.iter().any(|step| step.moves.p1.is_some() || step.moves.p2.is_some()) {
            let mut line = round_line(shown, columns, &row.label, &row.steps, history.before(row.steps[0].number));
            line.now = n + 1 == rows.len() && !history.is_ended();
            line.beats = Beat::ALL.map(|beat| (beat, beat.address(history.match_id, &row.label))).to_vec();
            lines.push(Line::Round(Box::new(line)));
        }
        lines.extend(row.steps.iter().filter_map(|step| told_step(shown, step)));
        lines.extend(remarks.up_to(last).map(|remark| told_remark(shown, remark)));
    }
    for strike in strikes.up_to(u32::MAX) {
        lines.extend(struck(shown, columns, strike));
    }
    lines.extend(remarks.up_to(u32::MAX).map(|remark| told_remark(shown, remark)));
    lines
}

/// Things that stand behind a step, taken in order of their places.
struct Placed<'t, T> {
    things: Vec<(u32, &'t T)>,
}

impl<'t, T> Placed<'t, T> {
    fn of(things: &'t [T], place: impl Fn(&T) -> u32) -> Self {
        Self { things: things.iter().map(|thing| (place(thing), thing)).collect() }
    }

    fn up_to(&mut self, step: u32) -> impl Iterator<Item = &'t T> + use<'t, T> {
        let (now, later) = self.things.iter().partition(|(place, _)| *place <= step);
        self.things = later;
        let now: Vec<(u32, &'t T)> = now;
        now.into_iter().map(|(_, thing)| thing)
    }
}

fn round_line(
    shown: &Shown<'_>,
    columns: &Columns,
    label: &str,
    steps: &[&StepRecord],
    before: Option<&Duel>,
) -> RoundLine {
    let after = steps.last().and_then(|step| step.after.as_ref());
    let start = before;
    let mut sides = [Side::default(), Side::default()];
    for (side, seat) in sides.iter_mut().zip(Seat::BOTH) {
        let mut before = before;
        for step in steps {
            if let Some(choice) = choice(shown, step, before, seat) {
                side.acts.extend(choice.acts);
                side.none = choice.none.or(side.none.take());
            }
            before = step.after.as_ref();
        }
        state_cells(shown, columns, [start, after], seat, side);
    }
    let [p1, p2] = sides;
    let revised = steps.iter().any(|step| step.source == StepSource::Correction { changed: true });
    RoundLine {
        label: label.to_owned(),
        round: steps.first().map_or(0, |step| step.row.round),
        word: revised.then_some("revised"),
        struck: false,
        now: false,
        p1,
        p2,
        shared: cells(shown, &columns.shared, [start, after], None),
        beats: Vec::new(),
    }
}

/// The state's cells, from the states before and after the round.
fn state_cells(shown: &Shown<'_>, columns: &Columns, around: [Option<&Duel>; 2], seat: Seat, side: &mut Side) {
    side.own = cells(shown, &columns.own, around, Some(seat));
    let panels = around[1].map(|after| shown.view(after).panels).unwrap_or_default();
    side.lamps = panels
        .into_iter()
        .flat_map(|panel| match panel {
            Panel::Lamps { seat: whose, lamps, .. } if whose == seat => lamps,
            _ => Vec::new(),
        })
        .collect();
}

fn cells(shown: &Shown<'_>, names: &[(&str, &str)], around: [Option<&Duel>; 2], seat: Option<Seat>) -> Vec<Cell> {
    let [before, after] = around.map(|duel| duel.map(|duel| shown.view(duel).figures).unwrap_or_default());
    let value = |figures: &[Figure], name: &str, seat: Option<Seat>| {
        figures.iter().find(|figure| figure.name == name && figure.seat == seat).map(|figure| figure.value)
    };
    let cell = |(name, _): &(&str, &str)| {
        let now = value(&after, name, seat);
        let leads = seat.is_some_and(|seat| now > value(&after, name, Some(seat.other())));
        let change = value(&before, name, seat).zip(now).and_then(|(was, now)| change(was, now));
        Cell { value: now, leads, change }
    };
    names.iter().map(cell).collect()
}

/// Who said something, in words.
fn by(by: &By) -> String {
    by.to_string().replace(':', " ")
}

/// The rounds that a strike struck, and its reason. Where one was corrected and the later ones were kept, the one.
fn struck(shown: &Shown<'_>, columns: &Columns, strike: &Strike) -> Vec<Line> {
    let mut rows: Vec<Vec<&StepRecord>> = Vec::new();
    for step in &strike.struck {
        match rows.last_mut() {
            Some(row) if !step.row.begins => row.push(step),
            _ => rows.push(vec![step]),
        }
    }
    let rounds: Vec<u32> = rows.iter().filter_map(|row| row.first()).map(|step| step.row.round).collect();
    if strike.correction == Correction::First {
        rows.truncate(1);
    }
    let mut before = shown.history.before(strike.from);
    let mut lines = Vec::new();
    for steps in &rows {
        if steps.iter().any(|step| step.moves.p1.is_some() || step.moves.p2.is_some()) {
            let label = steps.first().map_or(0, |step| step.row.round).to_string();
            let line = round_line(shown, columns, &label, steps, before);
            lines.push(Line::Round(Box::new(RoundLine { struck: true, word: Some("struck"), ..line })));
        }
        before = steps.last().and_then(|step| step.after.as_ref());
    }
    lines.push(told_strike(strike, &rounds));
    lines
}

fn told_strike(strike: &Strike, rounds: &[u32]) -> Line {
    let what = match (strike.correction, rounds) {
        (Correction::First, [first, _, ..]) => format!("Round {first} was corrected, and the later rounds were kept."),
        (Correction::First, [first]) => format!("Round {first} was corrected."),
        (_, [first, .., last]) if first != last => format!("Rounds {first} to {last} were struck."),
        (_, [first, ..]) => format!("Round {first} was struck."),
        (_, []) => "A step was struck.".to_owned(),
    };
    Line::Told(Box::new(Told {
        ruling: true,
        title: what,
        text: strike.reason.or("The reason was withdrawn.").to_owned(),
        rule: None,
        by: by(&strike.by),
        at: Some(When::minute(strike.at)),
    }))
}

fn told_remark(shown: &Shown<'_>, remark: &Remark) -> Line {
    let ruleset = engine::ruleset(&shown.history.opened.ruleset).ok();
    let rule = remark.rule.as_deref().zip(ruleset).map(|(rule, ruleset)| RuleLink::written(ruleset, rule));
    let title = if remark.ruling { "Ruling." } else { "Remark." };
    let text = match (&remark.text, remark.result) {
        (Said::Withdrawn, _) => "Its text was withdrawn.".to_owned(),
        (Said::Text(text), Some(result)) => {
            format!("{} {}", super::result_sentence(result, shown.names()), capital(text))
        }
        (Said::Text(text), None) => text.clone(),
    };
    let (by, at) = (by(&remark.by), Some(When::minute(remark.at)));
    Line::Told(Box::new(Told { ruling: remark.ruling, title: title.to_owned(), text, rule, by, at }))
}

/// A step that no seat was asked for: a decision that came with an imported match, or what the host did. A ruling's step
/// is told by the ruling.
fn told_step(shown: &Shown<'_>, step: &StepRecord) -> Option<Line> {
    let ruled = shown.history.remarks.iter().any(|remark| remark.entry == step.entry);
    if ruled || step.moves.p1.is_some() || step.moves.p2.is_some() {
        return None;
    }
    let decided = step.public.starts_with("umpire:");
    let sentences: Vec<String> = step.effects.iter().map(|effect| shown.name_in(&effect.text)).collect();
    let rule = step.effects.first().map(|effect| RuleLink::known(&shown.history.opened.ruleset, effect.rule));
    Some(Line::Told(Box::new(Told {
        ruling: decided,
        title: if decided { "Ruling." } else { "" }.to_owned(),
        text: if sentences.is_empty() { shown.line(step).to_owned() } else { sentences.join(" ") },
        rule,
        by: String::new(),
        at: None,
    })))
}
