//! Texts for the chat: the first question, for each round its moves, its effects and the score, and each act. They contain
//! nothing that is still sealed.

use std::cmp::Reverse;

use app::slug;
use app::views::{VisibleMatch, move_text};
use engine::{Figure, Party, Seat, name_seats};
use ledger::{Moment, Seq};
use record::{History, SheetRow, StepRecord, StepSource};

use super::act_post;
use crate::page::{QuestionList, When};

/// A round, or the question before the first, ready to be copied.
#[derive(Debug)]
pub(super) struct ChatPost {
    /// Such as "Round 7".
    pub(super) title: String,
    /// The id of its element on the page.
    pub(super) id: String,
    pub(super) text: String,
    /// The time at which its last step was played.
    pub(super) at: Option<When>,
}

impl ChatPost {
    /// The latest rounds and acts, newest first; before the first round, the open question.
    pub(super) fn latest(history: &History, site: &str, most: usize, now: Moment) -> Vec<Self> {
        let rows = history.rows();
        let begun = rows.iter().any(|row| row.round > 0);
        let asked = if begun { None } else { Self::asked(history, site, now) };
        let entry = |row: &SheetRow<'_>| row.steps.last().map_or(Seq(0), |step| step.entry);
        let mut posts = act_post::all(history, site, now);
        posts.extend(rows.iter().rev().take(most).map(|row| (entry(row), Self::of(history, row, site, now))));
        posts.sort_by_key(|(entry, _)| Reverse(*entry));
        asked.into_iter().chain(posts.into_iter().take(most).map(|(_, post)| post)).collect()
    }

    /// The players and the question; none if there is no question.
    fn asked(history: &History, site: &str, now: Moment) -> Option<Self> {
        let asked = QuestionList::now(&VisibleMatch::public(history)).questions;
        if history.is_ended() || asked.is_empty() {
            return None;
        }
        let card = engine::ruleset(&history.setup.ruleset).ok()?.card();
        let names = history.both_names();
        let mut lines = vec![format!("{} – {}: {}, {}", names.p1, names.p2, card.title, card.hosting)];
        for question in &asked {
            let clock = if question.clock.is_empty() { String::new() } else { format!("; {}", question.clock) };
            let otherwise = match (question.optional, question.default.as_str()) {
                (true, _) => " Optional: the match goes on without it.".to_owned(),
                (false, "") => String::new(),
                (false, default) => format!(" Without a move: {default}."),
            };
            lines.push(format!("{} For {}{clock}.{otherwise}", question.prompt, question.to));
        }
        if !site.is_empty() {
            lines.push(format!("{site}/m/{}", slug(history.match_id)));
        }
        Some(Self {
            title: "First question".to_owned(),
            id: "post-asked".to_owned(),
            text: lines.join("\n"),
            at: Some(When::second_on(history.opened_at, now)),
        })
    }

    fn of(history: &History, row: &SheetRow<'_>, site: &str, now: Moment) -> Self {
        let title = if row.round == 0 { "Before the first round".to_owned() } else { format!("Round {}", row.label) };
        let names = history.both_names();
        let mut lines = vec![format!("{title}: {}", row.after().map(|duel| score(history, duel)).unwrap_or_default())];
        for step in &row.steps {
            if let Some(drawn) = step.public.strip_prefix("host: ") {
                lines.push(format!("Host: {drawn}"));
            }
            let played = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, played(history, step, seat)?)));
            lines.extend(played.map(|(seat, words)| format!("{}: {words}", names[seat])));
            lines.extend(step.effects.iter().map(|effect| name_seats(&effect.text, names)));
        }
        if !site.is_empty() && row.round > 0 {
            lines.push(format!("{site}/m/{}/r/{}/after", slug(history.match_id), row.label));
        }
        Self {
            id: format!("post-{}", row.label),
            text: lines.join("\n"),
            at: played_at(history, row).map(|at| When::second_on(at, now)),
            title,
        }
    }
}

/// The time at which a row was played: later corrections of it and rulings after it have times of their own.
fn played_at(history: &History, row: &SheetRow<'_>) -> Option<Moment> {
    let mut played =
        row.steps.iter().rev().find(|step| step.source != StepSource::Ruling).or(row.steps.last()).copied()?;
    while let StepSource::Correction { .. } = played.source {
        // The steps of a correction are in its entry.
        let strike = history.strikes.iter().find(|strike| strike.entry == played.entry);
        let Some(before) = strike.and_then(|strike| strike.struck.iter().find(|step| step.number == played.number))
        else {
            break;
        };
        played = before;
    }
    Some(played.at)
}

/// A seat's move in words; none if it was not asked. What is still sealed is a question mark.
pub(super) fn played(history: &History, step: &StepRecord, seat: Seat) -> Option<String> {
    let sent = step.moves[seat].as_deref()?;
    if sent == "-" {
        return Some("nothing came in time".to_owned());
    }
    let text = move_text(&VisibleMatch::public(history), step, history.before(step.number), Party::Seat(seat))?;
    Some(text.words.map_or(text.line, |words| words.trim_end_matches('.').to_owned()))
}

/// "Black 18 – 10 White, pot 1".
pub(super) fn score(history: &History, duel: &engine::Duel) -> String {
    let figures = duel.figures();
    let Some(engine::BySeat { p1, p2 }) = duel.score() else { return record::words::in_a_line(figures) };
    let shared = |figure: &&Figure| figure.seat.is_none();
    let others =
        figures.iter().filter(shared).map(|figure| format!(", {} {}", figure.label.to_lowercase(), figure.value));
    format!("{} {p1} – {p2} {}{}", history.name(Seat::P1), history.name(Seat::P2), others.collect::<String>())
}

/// The duration, in hours if it is whole hours: "90 s", "23 h".
pub(super) fn length(seconds: u64) -> String {
    match seconds {
        3600.. if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        3600.. => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn long_times_are_told_in_hours() {
        assert_eq!([45, 90, 3600, 82_800, 82_799].map(length), ["45 s", "90 s", "1 h", "23 h", "22 h 59 min"]);
    }
}
