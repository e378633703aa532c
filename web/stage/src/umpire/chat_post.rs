//! Texts for the chat: the first question, for each round its moves, its effects and the score, and each act. They contain
//! nothing that is still sealed.

use std::cmp::Reverse;

use app::slug;
use app::views::{VisibleMatch, played_words, score_words};
use engine::Seat;
use ledger::{Moment, Seq};
use record::{History, SheetRow, StepSource};

use super::act_post;
use page::{QuestionList, When};

#[derive(Debug)]
pub(super) struct ChatPost {
    pub(super) title: String,
    pub(super) id: String,
    pub(super) text: String,
    pub(super) at: Option<When>,
}

impl ChatPost {
    pub(super) fn latest(history: &History, site: &str, most: usize, now: Moment) -> Vec<Self> {
        let rows = history.rows();
        let begun = rows.iter().any(|row| row.round > 0);
        let asked = if begun { None } else { Self::asked(history, site, now) };
        let entry = |row: &SheetRow<'_>| row.steps.last().map_or(Seq(0), |step| step.entry);
        let mut posts = act_post::all(history, site, now);
        posts.extend(asked.map(|asked| (rows.last().map_or(Seq(0), &entry), asked)));
        posts.extend(rows.iter().rev().take(most).map(|row| (entry(row), Self::of(history, row, site, now))));
        posts.sort_by_key(|(entry, _)| Reverse(*entry));
        posts.into_iter().take(most).map(|(_, post)| post).collect()
    }

    fn asked(history: &History, site: &str, now: Moment) -> Option<Self> {
        let asked = QuestionList::now(&VisibleMatch::public(history)).questions;
        if history.is_ended() || asked.is_empty() {
            return None;
        }
        let card = history.ruleset().card();
        let names = history.both_names();
        let mut lines = vec![format!("{} – {}: {}", names.p1, names.p2, card.name())];
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
        let mut lines =
            vec![format!("{title}: {}", row.after().map(|duel| score_words(history, duel)).unwrap_or_default())];
        for step in &row.steps {
            if let Some(drawn) = step.public.strip_prefix("host: ") {
                lines.push(format!("Host: {drawn}"));
            }
            let played = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, played_words(history, step, seat)?)));
            lines.extend(played.map(|(seat, words)| format!("{}: {words}", names[seat])));
            lines.extend(VisibleMatch::public(history).effects([*step]));
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
