//! One moment of a match: a round before the choices, the choices, or after them. Each has an address of its own.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use engine::Duel;
use record::{History, SheetRow, StepRecord, StepSource};

use super::kept::Kept;
use super::listing::ruleset_name;
use super::match_page::title;
use super::picture::{Kind, Wanted, picture};
use super::unread;
use crate::account::Visitor;
use crate::book::Book;
use crate::page::{
    Answer, Asked, Beat, Board, Doing, EffectList, Frame, InsightList, Preview, Problem, Segments, Shown, When,
    beat_scene, doings, fresh, match_address, result_sentence, row_words, site,
};

/// Previews show no more of a description.
const DESCRIPTION_MAX_CHARS: usize = 300;

#[derive(Template)]
#[template(path = "archive/moment.html")]
pub(super) struct Moment {
    frame: Frame,
    preview: Preview,
    address: String,
    canonical: String,
    title: String,
    game: String,
    label: String,
    /// The row in words.
    words: String,
    /// How many rounds there are by now; 0 where the first has not begun.
    of: u32,
    beat: Beat,
    beats: Vec<(Beat, String)>,
    previous: Option<Way>,
    next: Option<Way>,
    board: Option<Board>,
    asked: Option<Asked>,
    steps: Vec<Told>,
    insights: Option<InsightList>,
    rounds: Vec<RoundLink>,
    /// How the match ended, where this is its last moment.
    result: Option<String>,
    entry: u32,
}

/// A way to another moment.
struct Way {
    address: String,
    words: String,
}

/// A step of the row.
struct Told {
    /// When it was recorded; none for a match that was entered whole.
    at: Option<When>,
    doings: Vec<Doing>,
    /// What came instead, such as an umpire's decision.
    line: Option<String>,
    revised: bool,
    effects: EffectList,
}

impl Told {
    /// Whether the effects say in the same words what was done.
    fn tells(&self, doing: &Doing) -> bool {
        let bare = |text: &str| text.trim_end_matches('.').to_owned();
        let words = doing.choice.whole_words().map(bare);
        words.is_some_and(|words| self.effects.sentences.iter().any(|sentence| bare(&sentence.text) == words))
    }
}

/// A round in the list of all.
struct RoundLink {
    label: String,
    address: String,
    current: bool,
    ruled: bool,
    /// The keys that lead there.
    keys: String,
}

/// `GET /m/{slug}/r/{row}/{beat}` and `GET /m/{slug}/r/{row}/{beat}.{svg,png}`
pub(super) async fn moment(
    State(book): State<Arc<Book>>,
    Extension(kept): Extension<Arc<Kept>>,
    visitor: Visitor,
    Segments((slug, row, name)): Segments<(String, String, String)>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let history = book.history_of(&slug).await.map_err(|error| unread(&slug, error))?;
    let rows = history.rows();
    let at = rows.iter().position(|other| other.label == row).ok_or_else(|| no_round(&history, &row))?;
    let (word, kind) = match name.split_once('.') {
        Some((word, extension)) => (word, Kind::of(extension)),
        None => (name.as_str(), None),
    };
    let known = kind.is_some() || !name.contains('.');
    let beat: Beat = word.parse().ok().filter(|_| known).ok_or_else(|| {
        Problem::not_found(format!(
            "A round has three moments: before, choices and after, each with .svg and .png. \u{201c}{name}\u{201d} is \
             none of them."
        ))
        .back(Beat::After.address(history.match_id, &row), format!("Go to round {row}, after"))
    })?;
    let place = format!("{row}/{}", beat.word());
    if let Some(kind) = kind {
        let scene = || beat_scene(&history, &rows, at, beat);
        return picture(&kept, &history, &place, kind, &Wanted::of(wanted), &request, scene).await;
    }
    // What a search finds about a state takes its time: a page is drawn once for each head.
    let (anybody, site) = (visitor.umpire.is_none(), site(&request));
    if let Some(answer) = kept.moment(&history, &place, &site).filter(|_| anybody) {
        return Ok(fresh(&request, history.head.leaf, answer));
    }
    let page = Moment::of(&history, &rows, at, beat, &visitor, &site).ok_or_else(|| no_round(&history, &row))?;
    let answer = Answer::page(page.render().map_err(|error| Problem::broken(&error))?);
    if anybody {
        kept.keep_moment(&history, place, &site, &answer);
    }
    Ok(fresh(&request, history.head.leaf, answer))
}

/// There is no such round; this is the last one.
fn no_round(history: &History, row: &str) -> Problem {
    let title = title(history);
    match history.rows().last() {
        Some(last) => {
            let how = if history.is_ended() { "ended with" } else { "has come to" };
            let detail =
                format!("There is no round \u{201c}{row}\u{201d} here: the match {title} {how} round {}.", last.label);
            let address = Beat::After.address(history.match_id, &last.label);
            Problem::not_found(detail).back(address, format!("Go to round {}, after", last.label))
        }
        None => Problem::not_found(format!("No round of the match {title} has been played."))
            .back(match_address(history.match_id), "Go to the match"),
    }
}

impl Moment {
    pub(super) fn of(
        history: &History,
        rows: &[SheetRow<'_>],
        at: usize,
        beat: Beat,
        visitor: &Visitor,
        site: &str,
    ) -> Option<Self> {
        let shown = Shown::public(history);
        let row = rows.get(at)?;
        let first = row.steps.first()?;
        let before = history.before(first.number);
        let after = row.after();
        let id = history.match_id;
        let label = &row.label;
        let words = row_words(label);
        let board = match beat {
            Beat::Before => before.map(|duel| Board::of(&shown, format!("{words}: the state before"), duel, None)),
            Beat::Choices => before.map(|duel| Board::of(&shown, "The state they met", duel, None)),
            Beat::After => after.map(|duel| Board::of(&shown, format!("{words}: the state after"), duel, before)),
        };
        let drawn = if beat == Beat::After { after } else { before };
        let insights = drawn.map(|duel| InsightList::of(&shown, duel)).filter(|found| !found.is_empty());
        let title = title(history);
        let heading = format!("{words}, {}: {title}", beat.word());
        let (scene, canonical) = (beat_scene(history, rows, at, beat)?, beat.address(id, label));
        let told = scene.said.join(" ").chars().take(DESCRIPTION_MAX_CHARS).collect::<String>();
        let preview = Preview::of(site, &canonical, &heading, &told, &scene, history.head.leaf);
        let frame = Frame::titled(heading).in_section("archive").described(told);
        let last = rows.last()?;
        let ends = at + 1 == rows.len() && beat == Beat::After && history.outcome().is_over();
        Some(Self {
            frame: Frame { umpire: visitor.name(), ..frame },
            address: match_address(id),
            canonical,
            preview,
            game: ruleset_name(&history.opened.ruleset),
            label: label.clone(),
            words,
            of: if row.round > 0 { last.round } else { 0 },
            beat,
            beats: Beat::ALL.map(|beat| (beat, beat.address(id, label))).to_vec(),
            previous: previous(history, rows, at, beat),
            next: next(history, rows, at, beat),
            board,
            asked: before.filter(|_| beat == Beat::Before).map(|duel| Asked::of(&shown, duel)),
            steps: if beat == Beat::Before { Vec::new() } else { steps(&shown, row, before) },
            insights,
            rounds: rounds(history, rows, at, beat),
            result: ends.then(|| result_sentence(history.outcome(), history.both_names())),
            entry: first.entry.0,
            title,
        })
    }
}

fn way(history: &History, row: &SheetRow<'_>, beat: Beat, words: String) -> Way {
    Way { address: beat.address(history.match_id, &row.label), words }
}

fn previous(history: &History, rows: &[SheetRow<'_>], at: usize, beat: Beat) -> Option<Way> {
    let same = |beat: Beat| rows.get(at).map(|row| way(history, row, beat, beat.title().to_owned()));
    match beat {
        Beat::Before => {
            let row = rows.get(at.checked_sub(1)?)?;
            Some(way(history, row, Beat::After, row_words(&row.label)))
        }
        Beat::Choices => same(Beat::Before),
        Beat::After => same(Beat::Choices),
    }
}

fn next(history: &History, rows: &[SheetRow<'_>], at: usize, beat: Beat) -> Option<Way> {
    let same = |beat: Beat| rows.get(at).map(|row| way(history, row, beat, beat.title().to_owned()));
    match beat {
        Beat::Before => same(Beat::Choices),
        Beat::Choices => same(Beat::After),
        Beat::After => {
            let row = rows.get(at + 1)?;
            Some(way(history, row, Beat::Before, row_words(&row.label)))
        }
    }
}

fn steps<'h>(shown: &Shown<'_>, row: &SheetRow<'h>, mut before: Option<&'h Duel>) -> Vec<Told> {
    let mut list = Vec::new();
    for &step in &row.steps {
        let doings = doings(shown, step, before);
        list.push(Told {
            at: (step.source != StepSource::Import).then(|| When::minute(step.at)),
            line: doings.is_empty().then(|| shown.line(step).to_owned()),
            revised: step.source == StepSource::Correction { changed: true },
            effects: EffectList::of(shown, [step]),
            doings,
        });
        before = step.after.as_ref();
    }
    list
}

fn rounds(history: &History, rows: &[SheetRow<'_>], at: usize, beat: Beat) -> Vec<RoundLink> {
    let link = |(n, row): (usize, &SheetRow<'_>)| RoundLink {
        label: row.label.clone(),
        address: beat.address(history.match_id, &row.label),
        current: n == at,
        ruled: row.steps.iter().any(|step| is_ruled(history, step)),
        keys: keys(n, at, rows.len()),
    };
    rows.iter().enumerate().map(link).collect()
}

/// The keys that lead to a round from another one.
fn keys(to: usize, from: usize, rounds: usize) -> String {
    let keys = [("Home", to == 0), ("End", to + 1 == rounds), ("[", to + 1 == from), ("]", to == from + 1)];
    let keys: Vec<&str> = keys.into_iter().filter(|(_, leads)| *leads && to != from).map(|(key, _)| key).collect();
    keys.join(" ")
}

/// Whether somebody ruled on a step, decided in it or corrected it.
fn is_ruled(history: &History, step: &StepRecord) -> bool {
    let decided = step.public.starts_with("umpire:");
    let corrected = step.source == StepSource::Correction { changed: true };
    let remarked = history.remarks.iter().any(|remark| remark.ruling && remark.after_step == step.number);
    decided || corrected || remarked || step.source == StepSource::Ruling
}

#[cfg(test)]
mod tests {
    use super::keys;

    #[test]
    fn the_first_round_may_be_the_one_before() {
        assert_eq!([0, 1, 2, 3].map(|to| keys(to, 1, 4)), ["Home [", "", "]", "End"]);
        assert_eq!(keys(0, 0, 1), "");
    }
}
