//! The lines of a score sheet: rows that count, rows that were struck, and notes between them.

use app::views::{Beat, BeforeStrike, RuleLink, VisibleMatch};
use engine::{Duel, Figure, Lamp, Panel, Seat, Word};
use record::words::sentence;
use record::{Correction, Remark, SheetRow, StepRecord, StepSource, Strike};

use super::board::change;
use super::row_view::RowView;
use super::sheet::Columns;
use super::{Note, Urls, When};

#[derive(Clone, Debug)]
pub enum Line {
    Round(Box<RoundLine>),
    Note(Box<Note>),
}

#[derive(Clone, Debug)]
pub struct RoundLine {
    pub label: String,
    pub round: u32,
    pub part: bool,
    pub word: Option<&'static str>,
    pub struck: bool,
    pub now: bool,
    pub(super) played: RowView,
    pub(super) p1: Side,
    pub(super) p2: Side,
    pub(super) shared: Vec<Cell>,
    pub(super) beats: Vec<(Beat, String)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) lamps: Vec<Lamp>,
    pub(super) own: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) label: Word,
    pub(super) value: Option<i32>,
    pub(super) leads: bool,
    pub(super) change: Option<String>,
}

impl Side {
    pub(super) fn lit(&self) -> String {
        let lit: Vec<&str> = self.lamps.iter().filter(|lamp| lamp.lit).map(|lamp| lamp.name).collect();
        if lit.is_empty() { "none".to_owned() } else { lit.join(", ") }
    }
}

pub(super) fn lines(visible: &VisibleMatch<'_>, urls: &Urls, columns: &Columns) -> Vec<Line> {
    let history = visible.history;
    let rows = history.rows();
    let mut lines = Vec::new();
    // A remark on rows that a strike removed is shown with them, above the strike.
    let standing = history.remarks.iter().filter(|remark| history.struck_after(remark).is_none());
    let mut remarks = InOrder::of(standing, |remark| remark.after_step);
    let note_line = |note: Note| Line::Note(Box::new(note));
    let remark_line = |remark: &Remark| note_line(Note::of_remark(visible, remark));
    let mut strikes = InOrder::of(history.strikes.iter(), |strike| strike.from.saturating_sub(1));
    lines.extend(remarks.up_to(0).map(remark_line));
    for (n, row) in rows.iter().enumerate() {
        let last = row.steps.last().map_or(0, |step| step.number);
        // A ruling on the result joins the last row, maybe long after it: what was struck meanwhile is between them.
        let played: Vec<&StepRecord> = row.steps.iter().copied().filter(|step| !step.is_ruling()).collect();
        let last_played = played.last().map_or(last, |step| step.number);
        for strike in strikes.up_to(last_played.saturating_sub(1)) {
            lines.extend(struck(visible, urls, columns, strike));
        }
        let before = row.steps.first().and_then(|step| history.before(step.number));
        if let Some(mut line) = round_line(visible, (urls, columns), &row.label, &played, before) {
            line.now = n + 1 == rows.len() && !history.is_ended();
            line.beats = beats(urls, row);
            lines.push(Line::Round(Box::new(line)));
        }
        for strike in strikes.up_to(last.saturating_sub(1)) {
            lines.extend(struck(visible, urls, columns, strike));
        }
        lines.extend(row.steps.iter().filter_map(|step| decision_line(visible, step)));
        lines.extend(row.steps.iter().flat_map(|step| Note::of_clock(visible, step)).map(note_line));
        lines.extend(row.steps.iter().filter_map(|step| Note::of_passed_limit(history, step)).map(note_line));
        lines.extend(remarks.up_to(last).map(remark_line));
    }
    for strike in strikes.up_to(u32::MAX) {
        lines.extend(struck(visible, urls, columns, strike));
    }
    lines.extend(remarks.up_to(u32::MAX).map(remark_line));
    lines
}

struct InOrder<'t, T> {
    things: Vec<(u32, &'t T)>,
}

impl<'t, T> InOrder<'t, T> {
    fn of(things: impl Iterator<Item = &'t T>, place: impl Fn(&T) -> u32) -> Self {
        Self { things: things.map(|thing| (place(thing), thing)).collect() }
    }

    fn up_to(&mut self, step: u32) -> impl Iterator<Item = &'t T> + use<'t, T> {
        let (now, later) = self.things.iter().partition(|(place, _)| *place <= step);
        self.things = later;
        let now: Vec<(u32, &'t T)> = now;
        now.into_iter().map(|(_, thing)| thing)
    }
}

fn round_line(
    visible: &VisibleMatch<'_>,
    (urls, columns): (&Urls, &Columns),
    label: &str,
    steps: &[&StepRecord],
    before: Option<&Duel>,
) -> Option<RoundLine> {
    let played = RowView::of(visible, steps, before, urls.moment(label, Beat::After))?;
    let after = steps.last().and_then(|step| step.after.as_ref());
    let figures = [before, after].map(|duel| duel.map(|duel| duel.figures()).unwrap_or_default());
    let panels = after.filter(|_| columns.lamps.is_some()).map(|after| visible.panels(after)).unwrap_or_default();
    let side = |seat| Side { own: cells(&columns.own, &figures, Some(seat)), lamps: lamps(&panels, seat) };
    let revised = steps.iter().any(|step| step.source == StepSource::Correction { changed: true });
    Some(RoundLine {
        label: label.to_owned(),
        round: steps.first().map_or(0, |step| step.row.round),
        part: label.contains('.'),
        word: revised.then_some("revised"),
        struck: false,
        now: false,
        played,
        p1: side(Seat::P1),
        p2: side(Seat::P2),
        shared: cells(&columns.shared, &figures, None),
        beats: Vec::new(),
    })
}

fn lamps(panels: &[Panel], seat: Seat) -> Vec<Lamp> {
    let lamps = panels.iter().flat_map(|panel| match panel {
        Panel::Lamps { seat: whose, lamps, .. } if *whose == seat => lamps.as_slice(),
        _ => &[],
    });
    lamps.copied().collect()
}

fn cells(names: &[(Word, Word)], [before, after]: &[Vec<Figure>; 2], seat: Option<Seat>) -> Vec<Cell> {
    let value = |figures: &[Figure], name: &str, seat: Option<Seat>| {
        figures.iter().find(|figure| figure.name == name && figure.seat == seat).map(|figure| figure.value)
    };
    let cell = |(name, label): &(Word, Word)| {
        let now = value(after, name, seat);
        let leads = seat.is_some_and(|seat| now > value(after, name, Some(seat.other())));
        let change = value(before, name, seat).zip(now).and_then(|(was, now)| change(was, now));
        Cell { label: label.clone(), value: now, leads, change }
    };
    names.iter().map(cell).collect()
}

fn beats(urls: &Urls, row: &SheetRow<'_>) -> Vec<(Beat, String)> {
    let shown = Beat::ALL.into_iter().filter(|beat| row.steps.len() < 2 || *beat != Beat::Choices);
    shown.map(|beat| (beat, urls.moment(&row.label, beat))).collect()
}

/// The rows that a strike removed, and its reason. If one step was corrected and the later ones were kept, only that
/// step's row.
fn struck(visible: &VisibleMatch<'_>, urls: &Urls, columns: &Columns, strike: &Strike) -> Vec<Line> {
    // The sheet before the strike has the labels of these rows.
    let earlier = BeforeStrike::of(visible.history, strike);
    let urls = urls.struck(strike.entry);
    let mut rows = earlier.rows();
    let labels: Vec<String> = rows.iter().map(|row| row.label.clone()).collect();
    if strike.correction == Correction::First {
        rows.truncate(1);
    }
    let mut before = earlier.history.before(strike.from);
    let mut lines = Vec::new();
    for row in &rows {
        if let Some(line) = round_line(visible, (&urls, columns), &row.label, &row.steps, before) {
            let beats = beats(&urls, row);
            lines.push(Line::Round(Box::new(RoundLine { struck: true, word: Some("struck"), beats, ..line })));
        }
        before = row.after();
    }
    let earlier_remarks =
        visible.history.remarks.iter().filter(|remark| {
            visible.history.struck_after(remark).is_some_and(|struck_by| struck_by.entry == strike.entry)
        });
    lines.extend(earlier_remarks.map(|remark| Line::Note(Box::new(Note::of_remark(visible, remark)))));
    lines.push(strike_line(visible, strike, &labels));
    lines
}

fn strike_line(visible: &VisibleMatch<'_>, strike: &Strike, labels: &[String]) -> Line {
    let what = match (strike.correction, labels) {
        (Correction::First, [first, _, ..]) => format!("Round {first} was corrected, and the later rounds were kept."),
        (Correction::First, [first]) => format!("Round {first} was corrected."),
        (_, [first, .., last]) if first != last => format!("Rounds {first} to {last} were struck."),
        (_, [first, ..]) => format!("Round {first} was struck."),
        (_, []) => "A step was struck.".to_owned(),
    };
    Line::Note(Box::new(Note {
        ruling: true,
        title: what,
        text: sentence(strike.reason.or("the reason was withdrawn")),
        rule: None,
        by: visible.by(&strike.by),
        at: Some(When::minute(strike.at)),
    }))
}

fn decision_line(visible: &VisibleMatch<'_>, step: &StepRecord) -> Option<Line> {
    let ruled = visible.history.remarks.iter().any(|remark| remark.entry == step.entry);
    if ruled || !step.is_ruling() {
        return None;
    }
    let sentences: Vec<String> = step.effects.iter().map(|effect| visible.name_in(&effect.text)).collect();
    let rule = step.effects.first().map(|effect| RuleLink::known(&visible.history.opened.ruleset, effect.rule));
    Some(Line::Note(Box::new(Note {
        ruling: true,
        title: "Ruling.".to_owned(),
        text: if sentences.is_empty() { visible.line(step).to_owned() } else { sentences.join(" ") },
        rule,
        by: String::new(),
        at: None,
    })))
}
