//! Texts for the chat about each act of an umpire: rulings, warnings, corrections, strikes, clocks, a change of umpires,
//! and the result. They contain nothing that is still sealed.

use app::slug;
use app::views::{ActWords, score_words};
use ledger::{Moment, Seq};
use record::words::{result_sentence, sentence};
use record::{Change, Correction, History};

use super::chat_post::ChatPost;
use page::When;

pub(super) fn all(history: &History, site: &str, now: Moment) -> Vec<(Seq, ChatPost)> {
    let post = |entry: Seq, at: Moment, title: String, text: String| {
        let link = if site.is_empty() { String::new() } else { format!("\n{site}/m/{}", slug(history.match_id)) };
        let at = Some(When::second_on(at, now));
        (entry, ChatPost { id: format!("post-entry-{entry}"), text: format!("{text}{link}"), title, at })
    };
    let remarks = history.remarks.iter().filter(|remark| remark.objects.is_none()).map(|remark| {
        let words = ActWords::remark(history, remark).plain();
        post(remark.entry, remark.at, history.remark_title(remark), words)
    });
    let strikes = history.strikes.iter().map(|strike| {
        let title = if strike.correction == Correction::First { "Correction" } else { "Strike" };
        post(strike.entry, strike.at, title.to_owned(), ActWords::strike(history, strike).plain())
    });
    let handovers = history.handovers.iter().map(|handover| {
        post(handover.entry, handover.at, "Another umpire".to_owned(), ActWords::handover(handover).plain())
    });
    let mut clocks: Vec<(Seq, ChatPost)> = Vec::new();
    for change in history.clocks.iter().flat_map(|clock| &clock.changes) {
        let Some(words) = ActWords::clock(&change.change) else { continue };
        let new = post(change.entry, change.at, clock_title(&change.change).to_owned(), words.plain());
        // One pause stops every clock of the match: it is posted once.
        if clocks.last().is_none_or(|(_, last)| (&last.text, &last.at) != (&new.1.text, &new.1.at)) {
            clocks.push(new);
        }
    }
    let result = history.ended.map(|(entry, at)| {
        let result = result_sentence(history.outcome(), history.both_names());
        let why = history.ending_ruling().map(|why| format!(" {}", sentence(why)));
        let text = format!("{result}{}\n{}", why.unwrap_or_default(), score_words(history, history.duel()));
        post(entry, at, "The result".to_owned(), text)
    });
    remarks.chain(strikes).chain(handovers).chain(clocks).chain(result).collect()
}

const fn clock_title(change: &Change) -> &'static str {
    match change {
        Change::Paused { .. } => "Pause",
        Change::Resumed { .. } => "End of the pause",
        Change::Extended { .. } | Change::Spent { .. } | Change::MadeUp { .. } => "More time",
        Change::Started => "Start of the clock",
    }
}
