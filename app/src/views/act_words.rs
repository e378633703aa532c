//! An umpire's act in the words of a post: rulings, warnings, corrections, strikes, clocks, and a change of umpires. They
//! contain nothing that is still sealed.

use engine::{BySeat, Duel, Figure, Party, Seat};
use record::words::{in_a_line, result_sentence, sentence};
use record::{Change, CommittedText, Correction, Handover, History, Remark, StepRecord, Strike};

use super::{VisibleMatch, move_text};

const WITHDRAWN: &str = "The reason was withdrawn";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActWords {
    pub heading: String,
    pub mark: char,
    pub text: String,
}

impl ActWords {
    #[must_use]
    pub fn remark(history: &History, remark: &Remark) -> Self {
        let rule = remark.rule.as_ref().map(|rule| format!(", rule {rule}")).unwrap_or_default();
        let result = remark.result.map(|result| format!(" {}", result_sentence(result, history.both_names())));
        Self {
            heading: format!("{}{rule}", history.remark_title(remark)),
            mark: ':',
            text: format!("{}{}", sentence(remark.text.or("its text was withdrawn")), result.unwrap_or_default()),
        }
    }

    #[must_use]
    pub fn strike(history: &History, strike: &Strike) -> Self {
        let round = strike.struck.first().map_or(0, |step| step.row.round);
        let place = if round == 0 { "before round 1".to_owned() } else { format!("round {round}") };
        let reason = why(&strike.reason);
        let (heading, text) = match strike.correction {
            Correction::First => {
                let changes = corrected(history, strike).map(|change| format!("\n{change}")).collect::<String>();
                let now = score_words(history, history.duel());
                (format!("Correction, {place}"), format!("{reason}{changes}\nNow: {now}"))
            }
            Correction::None => (format!("Back to {place}"), reason),
        };
        Self { heading, mark: ':', text }
    }

    /// A change of a clock that people made; none for what happens by itself and for a start, which the question
    /// announces.
    #[must_use]
    pub fn clock(change: &Change) -> Option<Self> {
        let (heading, text) = match change {
            Change::Paused { reason } => {
                ("The clock is paused".to_owned(), reason.as_ref().map(why).unwrap_or_default())
            }
            Change::Resumed { excluded } => {
                let took = length_words(excluded.as_secs());
                ("The clock runs again".to_owned(), format!("The pause took {took}, which do not count."))
            }
            Change::Extended { seconds, reason } => (format!("{} more", length_words((*seconds).into())), why(reason)),
            Change::Started | Change::Spent { .. } | Change::MadeUp { .. } => return None,
        };
        Some(Self { heading, mark: '.', text })
    }

    #[must_use]
    pub fn handover(handover: &Handover) -> Self {
        Self { heading: "Another umpire takes over".to_owned(), mark: '.', text: why(&handover.reason) }
    }

    #[must_use]
    pub fn plain(&self) -> String {
        let Self { heading, mark, text } = self;
        format!("{heading}{mark} {text}").trim_end().to_owned()
    }
}

/// The names of a match's umpires, one after the other.
#[must_use]
pub fn umpires_in_turn(visible: &VisibleMatch<'_>) -> String {
    let history = visible.history;
    let later = history.handovers.iter().map(|handover| &handover.to);
    let names = std::iter::once(&history.umpire).chain(later).map(|by| visible.by(by));
    names.map(|name| name.trim_start_matches("umpire ").to_owned()).collect::<Vec<_>>().join(", then ")
}

fn why(reason: &CommittedText) -> String {
    sentence(reason.or(WITHDRAWN))
}

fn corrected(history: &History, strike: &Strike) -> impl Iterator<Item = String> {
    let before = strike.struck.iter().find(|step| step.number == strike.from);
    let now = history.steps.iter().find(|step| step.number == strike.from);
    let both = before.zip(now).map(|(before, now)| Seat::BOTH.map(|seat| (seat, before, now)));
    let changed = both.into_iter().flatten().filter(|(seat, before, now)| before.moves[*seat] != now.moves[*seat]);
    changed.map(|(seat, before, now)| {
        let words = |step| played_words(history, step, seat).unwrap_or_else(|| "nothing".to_owned());
        format!("{}: {}; before: {}", history.name(seat), words(now), words(before))
    })
}

#[must_use]
pub fn played_words(history: &History, step: &StepRecord, seat: Seat) -> Option<String> {
    let sent = step.moves[seat].as_deref()?;
    if sent == "-" {
        return Some("no move".to_owned());
    }
    let text = move_text(&VisibleMatch::public(history), step, history.before(step.number), Party::Seat(seat))?;
    Some(text.words.map_or(text.line, |words| words.trim_end_matches('.').to_owned()))
}

#[must_use]
pub fn score_words(history: &History, duel: &Duel) -> String {
    let figures = duel.figures();
    let Some(BySeat { p1, p2 }) = duel.score() else { return in_a_line(figures) };
    let shared = |figure: &&Figure| figure.seat.is_none();
    let others =
        figures.iter().filter(shared).map(|figure| format!(", {} {}", figure.label.to_lowercase(), figure.value));
    let (names, unit, others) = (history.both_names(), history.ruleset().score_unit(), others.collect::<String>());
    format!("{} {p1} – {p2} {} ({}){others}", names.p1, names.p2, unit.many)
}

#[must_use]
pub fn length_words(seconds: u64) -> String {
    match seconds {
        3600.. if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        3600.. => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::length_words;

    #[test]
    fn long_times_are_told_in_hours() {
        assert_eq!([45, 90, 3600, 82_800, 82_799].map(length_words), ["45 s", "90 s", "1 h", "23 h", "22 h 59 min"]);
    }
}
