//! A round as text for the chat: what was played, what came of it, how it stands. Nothing that is still sealed.

use engine::{Figure, Seat, Sight, name_seats};
use record::{History, SheetRow};

use crate::book::slug;

/// A round, ready to be copied.
#[derive(Debug)]
pub(super) struct Post {
    /// Such as "Round 7".
    pub(super) title: String,
    /// Names its place on the page.
    pub(super) id: String,
    /// The text.
    pub(super) text: String,
    /// The clock of its last step.
    pub(super) at: String,
}

impl Post {
    /// The latest rounds, newest first.
    pub(super) fn latest(history: &History, site: &str, most: usize) -> Vec<Self> {
        history.rows().iter().rev().take(most).map(|row| Self::of(history, row, site)).collect()
    }

    fn of(history: &History, row: &SheetRow<'_>, site: &str) -> Self {
        let title = if row.round == 0 { "Before the first round".to_owned() } else { format!("Round {}", row.label) };
        let names = history.both_names();
        let mut lines = vec![format!("{title}: {}", row.after().map(|duel| score(history, duel)).unwrap_or_default())];
        for step in &row.steps {
            if let Some(drawn) = step.public.strip_prefix("host: ") {
                lines.push(format!("Host: {drawn}"));
            }
            for (seat, sent) in step.moves.each() {
                if let Some(sent) = sent {
                    let sent = if sent == "-" { "nothing came in time" } else { sent };
                    lines.push(format!("{}: {sent}", names[seat]));
                }
            }
            lines.extend(step.effects.iter().map(|effect| name_seats(&effect.text, names)));
        }
        if !site.is_empty() && row.round > 0 {
            lines.push(format!("{site}/m/{}/r/{}/after", slug(history.match_id), row.label));
        }
        Self {
            id: format!("post-{}", row.label),
            text: lines.join("\n"),
            at: row.steps.last().map(|step| clock(step.at)).unwrap_or_default(),
            title,
        }
    }
}

/// "Black 18 – 10 White, pot 1".
fn score(history: &History, duel: &engine::Duel) -> String {
    let figures = duel.view(Sight::Public).figures;
    let Some(engine::BySeat { p1, p2 }) = duel.score() else { return super::figures::in_a_line(figures) };
    let shared = |figure: &&Figure| figure.seat.is_none();
    let others =
        figures.iter().filter(shared).map(|figure| format!(", {} {}", figure.label.to_lowercase(), figure.value));
    format!("{} {p1} – {p2} {}{}", history.name(Seat::P1), history.name(Seat::P2), others.collect::<String>())
}

/// A time of day, such as "20:41:48 UTC".
pub(super) fn clock(at: ledger::Moment) -> String {
    at.to_utc().format("%H:%M:%S UTC").to_string()
}
