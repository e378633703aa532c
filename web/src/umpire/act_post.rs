//! Texts for the chat about what an umpire did: rulings, warnings, corrections, strikes, pauses, and the result. They
//! contain nothing that is still sealed.

use app::slug;
use engine::Seat;
use ledger::{Moment, Seq};
use record::words::{result_sentence, sentence};
use record::{Change, CommittedText, Correction, History, Remark, Strike};

use super::chat_post::{ChatPost, length, played, score};
use crate::page::When;

const WITHDRAWN: &str = "the reason was withdrawn";

/// A text about every act, each with its entry.
pub(super) fn all(history: &History, site: &str, now: Moment) -> Vec<(Seq, ChatPost)> {
    let post = |entry: Seq, at: Moment, title: String, text: String| {
        let link = if site.is_empty() { String::new() } else { format!("\n{site}/m/{}", slug(history.match_id)) };
        let at = Some(When::second_on(at, now));
        (entry, ChatPost { id: format!("post-entry-{entry}"), text: format!("{text}{link}"), title, at })
    };
    let remarks = history
        .remarks
        .iter()
        .filter(|remark| remark.objects.is_none())
        .map(|remark| post(remark.entry, remark.at, history.remark_title(remark), remarked(history, remark)));
    let strikes = history.strikes.iter().map(|strike| {
        let title = if strike.correction == Correction::First { "Correction" } else { "Strike" };
        post(strike.entry, strike.at, title.to_owned(), struck(history, strike))
    });
    let mut clocks: Vec<(Seq, ChatPost)> = Vec::new();
    for change in history.clocks.iter().flat_map(|clock| &clock.changes) {
        let Some((title, text)) = clock(&change.change) else { continue };
        let new = post(change.entry, change.at, title.to_owned(), text);
        // One pause stops every clock of the match: it is posted once.
        if clocks.last().is_none_or(|(_, last)| (&last.text, &last.at) != (&new.1.text, &new.1.at)) {
            clocks.push(new);
        }
    }
    let result = history.ended.map(|(entry, at)| {
        let result = result_sentence(history.outcome(), history.both_names());
        let ruled = history.remarks.iter().rev().find(|remark| remark.result.is_some());
        let why = ruled.and_then(|remark| remark.text.text()).map(|why| format!(" {}", sentence(why)));
        let text = format!("{result}{}\n{}", why.unwrap_or_default(), score(history, history.duel()));
        post(entry, at, "The result".to_owned(), text)
    });
    remarks.chain(strikes).chain(clocks).chain(result).collect()
}

fn remarked(history: &History, remark: &Remark) -> String {
    let rule = remark.rule.as_ref().map(|rule| format!(", rule {rule}")).unwrap_or_default();
    let result = remark.result.map(|result| format!(" {}", result_sentence(result, history.both_names())));
    let text = sentence(remark.text.or("its text was withdrawn"));
    format!("{}{rule}: {text}{}", history.remark_title(remark), result.unwrap_or_default())
}

fn struck(history: &History, strike: &Strike) -> String {
    let round = strike.struck.first().map_or(0, |step| step.row.round);
    let place = if round == 0 { "before round 1".to_owned() } else { format!("round {round}") };
    let reason = sentence(strike.reason.or(WITHDRAWN));
    match strike.correction {
        Correction::First => {
            let changes = corrected(history, strike).map(|change| format!("\n{change}")).collect::<String>();
            format!("Correction, {place}: {reason}{changes}\nNow: {}", score(history, history.duel()))
        }
        Correction::None => format!("Back to {place}: {reason}"),
    }
}

/// Each move that a correction changed: "Bram: Claim; before: Grow".
fn corrected(history: &History, strike: &Strike) -> impl Iterator<Item = String> {
    let before = strike.struck.iter().find(|step| step.number == strike.from);
    let now = history.steps.iter().find(|step| step.number == strike.from);
    let both = before.zip(now).map(|(before, now)| Seat::BOTH.map(|seat| (seat, before, now)));
    let changed = both.into_iter().flatten().filter(|(seat, before, now)| before.moves[*seat] != now.moves[*seat]);
    changed.map(|(seat, before, now)| {
        let words = |step| played(history, step, seat).unwrap_or_else(|| "nothing".to_owned());
        format!("{}: {}; before: {}", history.name(seat), words(now), words(before))
    })
}

/// A change of a clock that people made; none for what happens by itself and for a start, which the question announces.
fn clock(change: &Change) -> Option<(&'static str, String)> {
    let why = |reason: &CommittedText| sentence(reason.or(WITHDRAWN));
    Some(match change {
        Change::Paused { reason: Some(reason) } => ("Pause", format!("The clock is paused. {}", why(reason))),
        Change::Paused { reason: None } => ("Pause", "The clock is paused.".to_owned()),
        Change::Resumed { excluded } => {
            ("End of the pause", format!("The clock runs again. The pause took {}.", length(excluded.as_secs())))
        }
        Change::Extended { seconds, reason } => {
            ("More time", format!("{} more. {}", length((*seconds).into()), why(reason)))
        }
        Change::Started | Change::Spent { .. } | Change::MadeUp { .. } => return None,
    })
}
