//! One moment of a match: a row before the choices, the choices, after them, or after one of several acts. Each has an
//! address of its own, even if the row was struck.

use app::views::{Action, Beat, VisibleMatch, act, beat_scene, match_address, shown_hands};
use askama::Template;
use engine::{BySeat, Duel, Seat, Sight};
use picture::Scene;
use record::words::{result_sentence, row_words};
use record::{History, Mode, SheetRow, StepRecord, StepSource};

use super::change_note::ChangeNote;
use super::comments::CommentList;
use super::match_page::title;
use super::moment_context::MomentContext;
use super::picture::AnimatedPicture;
use super::recordings::RecordingList;
use page::{
    Board, BoardAside, EffectList, Frame, Graph, InsightList, Link, Note, PartyMove, Preview, QuestionList, Urls, When,
    explorer_address, is_ruled, party_moves, sheet_moves, what_if_address,
};
use web_http::{Spoilers, ViewParams};

/// The longest description shown in previews.
const DESCRIPTION_MAX_CHARS: usize = 300;

const GRAPH_ROWS_MIN: usize = 3;

#[derive(Template)]
#[template(path = "archive/moment.html")]
pub(super) struct Moment {
    frame: Frame,
    preview: Preview,
    pub(super) address: String,
    picture: String,
    /// The moments of its row as one animated picture; none of a round that was struck, and none without spoilers.
    animated: Option<AnimatedPicture>,
    link: String,
    pub(super) title: String,
    pub(super) game: String,
    label: String,
    pub(super) words: String,
    /// The number of rounds so far; 0 if the first has not begun, or if it must stay hidden.
    of: u32,
    so_far: bool,
    pub(super) beat: Beat,
    pub(super) beats: Vec<(Beat, String)>,
    pub(super) previous: Option<Link>,
    pub(super) next: Option<Link>,
    ends: Vec<(&'static str, Link)>,
    wait_ms: Option<i64>,
    pub(super) board: Option<Board>,
    pub(super) aside: Option<BoardAside>,
    pub(super) questions: Option<QuestionList>,
    pub(super) steps: Vec<StepView>,
    /// Rulings, remarks and changes to the clock. They are shown only at the moment after, because they follow from the
    /// moves.
    pub(super) notes: Vec<Note>,
    comments: CommentList,
    recordings: RecordingList,
    insights: Option<InsightList>,
    sight_choice: SightChoice,
    graph: Option<Graph>,
    rounds: Vec<RoundLink>,
    with_spoilers: Option<String>,
    is_struck: bool,
    pub(super) changes: Vec<ChangeNote>,
    pub(super) result: Option<String>,
    entries: Option<String>,
    /// The address for trying another move from here; none while the match runs, and if there is no question here.
    what_if: Option<String>,
    /// Links to the statistics of moments like this: words and addresses. They come from all matches, and so also from
    /// the later course of this one.
    explorer: Option<String>,
}

enum SightChoice {
    Public,
    All {
        links: Vec<(String, String, bool)>,
        /// True if all views were the same at this moment.
        same: bool,
    },
}

pub(super) struct StepView {
    pub(super) at: Option<When>,
    pub(super) moves: Vec<PartyMove>,
    pub(super) line: Option<String>,
    pub(super) revised: bool,
    pub(super) effects: EffectList,
}

impl StepView {
    pub(super) fn repeats(&self, party_move: &PartyMove) -> bool {
        party_move.is_repeated_by(&self.effects)
    }
}

struct RoundLink {
    label: String,
    address: String,
    beats: Option<String>,
    current: bool,
    ruled: bool,
    keys: &'static str,
    /// What was played in it, and the score after it; nothing of a round whose cards still lie face down.
    moves: BySeat<Vec<Action>>,
    score: Option<(i32, i32)>,
}

impl Moment {
    pub(super) fn of(
        visible: &VisibleMatch<'_>,
        rows: &[SheetRow<'_>],
        at: usize,
        beat: Beat,
        context: &MomentContext<'_>,
    ) -> Option<Self> {
        let (history, urls, params) = (visible.history, &context.urls, context.params);
        let row = rows.get(at)?;
        let first = row.steps.first()?;
        let before = history.before(first.number);
        let label = &row.label;
        let words = row_words(label);
        let table = Table::of(visible, row, beat, &words)?;
        let scene = beat_scene(visible, rows, at, beat)?;
        let (frame, preview) = head(history, &scene, &words, beat, label, context);
        let canonical = urls.bare(label, beat);
        let last = at + 1 == rows.len() && beat == Beat::After;
        let ends = last && context.strike.is_none() && history.outcome().is_over();
        let hidden = params.spoilers.hidden();
        // The moves are part of the addresses, even if they stayed sealed.
        let counts = context.strike.is_none() && !hidden;
        let tells = counts && visible.sight() == Sight::Everything;
        let of = if row.round > 0 && context.strike.is_none() && !hidden { rows.last()?.round } else { 0 };
        let (drawable, acts) = (!hidden && rows.len() >= GRAPH_ROWS_MIN, row.steps.len());
        let link = format!("{}{}", context.site, urls.moment(label, beat));
        Some(Self {
            frame,
            preview,
            address: format!("{}{}", match_address(history.match_id), params.query()),
            picture: format!("{canonical}.png{}", params.query()),
            animated: if counts { animated(visible, rows, at, params) } else { None },
            link,
            game: history.ruleset().card().name(),
            label: label.clone(),
            of,
            so_far: !history.outcome().is_over(),
            beat,
            beats: beats(row, beat, hidden).map(|beat| (beat, urls.moment(label, beat))).collect(),
            previous: previous(rows, at, beat, urls),
            next: next(rows, at, beat, urls),
            ends: first_and_last(rows, context, history),
            wait_ms: (history.opened.mode != Mode::Imported).then(|| wait_ms(history, row, beat)),
            board: table.board,
            aside: table.aside,
            questions: before.filter(|_| beat == Beat::Before).map(|duel| QuestionList::of(visible, duel)),
            steps: if beat == Beat::Before { Vec::new() } else { steps(visible, row, before, beat, context) },
            notes: if beat == Beat::After { Note::of_row(visible, row) } else { Vec::new() },
            comments: CommentList::of(row, beat, context),
            recordings: context.comments.recordings.of_row(Some(&row.label)),
            insights: table.insights,
            sight_choice: sight_choice(visible, row, before, beat, context),
            graph: if drawable { Graph::of(visible, rows, urls, Beat::After, Some((at, beat, acts))) } else { None },
            rounds: rounds(visible, rows, at, beat, context),
            with_spoilers: hidden.then(|| urls.with_params(params.with_spoilers(Spoilers::Shown)).moment(label, beat)),
            is_struck: context.strike.is_some(),
            changes: ChangeNote::all(history, row, beat, context),
            result: ends.then(|| result_sentence(history.outcome(), history.both_names())),
            what_if: (history.is_ended() && table.asks && context.strike.is_none() && !hidden)
                .then(|| what_if_address(history.match_id, label, beat)),
            explorer: tells.then(|| explorer_address(history, row, beat)).flatten(),
            entries: (!hidden).then(|| format!("{}/verify#e{}", match_address(history.match_id), first.entry.0)),
            words,
            title: title(history),
        })
    }
}

struct Table {
    board: Option<Board>,
    aside: Option<BoardAside>,
    insights: Option<InsightList>,
    asks: bool,
}

impl Table {
    fn of(visible: &VisibleMatch<'_>, row: &SheetRow<'_>, beat: Beat, words: &str) -> Option<Self> {
        let before = visible.history.before(row.steps.first()?.number);
        let mut hands = Vec::new();
        let (drawn, since) = match beat {
            Beat::Before | Beat::Choices => (before, None),
            Beat::Act(number) => {
                let (step, _) = act(row, number)?;
                hands = shown_hands(step);
                (step.after.as_ref(), visible.history.before(step.number))
            }
            Beat::After => {
                hands = row.steps.last().map(|step| shown_hands(step)).unwrap_or_default();
                (row.after(), before)
            }
        };
        // What was played lies between the seats: of several acts the one that was the last.
        let played = match beat {
            Beat::Before => None,
            Beat::Act(number) => act(row, number).map(|(step, _)| step),
            Beat::Choices | Beat::After => row.steps.iter().copied().rfind(|step| !step.is_ruling() && !step.is_said()),
        };
        let moves = played.map(|step| party_moves(visible, step, visible.history.before(step.number)));
        let board = drawn.map(|duel| {
            let board = Board::of(visible, board_title(words, beat), duel, since).with_panels(visible, &hands);
            board.with_moves(&moves.unwrap_or_default(), beat != Beat::Choices).parted()
        });
        let (board, aside) = board.map_or((None, None), |(board, aside)| (Some(board), aside));
        let insights = drawn.map(|duel| InsightList::of(visible, duel)).filter(|found| !found.is_empty());
        Some(Self { board, aside, insights, asks: drawn.is_some_and(|duel| !duel.asks().is_empty()) })
    }
}

fn head(
    history: &History,
    scene: &Scene,
    words: &str,
    beat: Beat,
    label: &str,
    context: &MomentContext<'_>,
) -> (Frame, Preview) {
    let struck = if context.strike.is_some() { " (struck)" } else { "" };
    let heading = format!("{words}, {}{struck}: {}", beat.words(), title(history));
    let description = scene.said.join(" ").chars().take(DESCRIPTION_MAX_CHARS).collect::<String>();
    let canonical = context.urls.bare(label, beat);
    let preview = Preview::of(context.site, &canonical, &heading, &description, scene, history.head.leaf)
        .with_params(context.params);
    let frame = Frame::titled(heading).about(history.match_id).in_section("archive").described(description);
    (Frame { umpire: context.umpire.clone(), ..frame }, preview)
}

/// The moments of a row that are named; without spoilers none of several acts after this one, because their number tells
/// how the row goes on.
fn beats(row: &SheetRow<'_>, now: Beat, hidden: bool) -> impl Iterator<Item = Beat> {
    let all = Beat::of(row);
    let at = all.iter().position(|beat| *beat == now);
    let shown = if hidden && row.steps.len() > 1 { at.map_or(1, |at| at + 1) } else { all.len() };
    all.into_iter().take(shown)
}

fn animated(
    visible: &VisibleMatch<'_>,
    rows: &[SheetRow<'_>],
    at: usize,
    params: ViewParams,
) -> Option<AnimatedPicture> {
    let (label, end) = (&rows.get(at)?.label, beat_scene(visible, rows, at, Beat::After)?);
    let address = format!("{}/r/{label}.gif{}", match_address(visible.history.match_id), params.query());
    let what = format!("{}, {}", title(visible.history), row_words(label));
    Some(AnimatedPicture::of(address, &what, &end))
}

fn board_title(words: &str, beat: Beat) -> String {
    match beat {
        Beat::Before => format!("{words}: the state before"),
        Beat::Choices => "The state before them".to_owned(),
        Beat::Act(number) => format!("{words}: the state after act {number}"),
        Beat::After => format!("{words}: the state after"),
    }
}

/// One press back: the state before a row is the last state of the row before it, and only the first row shows its own.
fn previous(rows: &[SheetRow<'_>], at: usize, beat: Beat, urls: &Urls) -> Option<Link> {
    let row = rows.get(at)?;
    let earlier = match beat {
        Beat::Before => None,
        Beat::Choices => Some(Beat::Before),
        Beat::After if row.steps.len() < 2 => Some(Beat::Before),
        _ => neighbours(row, beat).0,
    };
    match (earlier, at.checked_sub(1).and_then(|at| rows.get(at))) {
        (None | Some(Beat::Before), Some(row)) => Some(link(row, Beat::After, urls)),
        (Some(earlier), _) => Some(link(row, earlier, urls)),
        (None, None) => None,
    }
}

/// One press on: a row at once, or each of its acts.
fn next(rows: &[SheetRow<'_>], at: usize, beat: Beat, urls: &Urls) -> Option<Link> {
    let row = rows.get(at)?;
    let begins = |row: &SheetRow<'_>| if row.steps.len() > 1 { Beat::Act(1) } else { Beat::After };
    match beat {
        Beat::Before => Some(link(row, begins(row), urls)),
        Beat::Choices => Some(link(row, Beat::After, urls)),
        _ => match neighbours(row, beat).1 {
            Some(later) => Some(link(row, later, urls)),
            None => rows.get(at + 1).map(|row| link(row, begins(row), urls)),
        },
    }
}

/// A moment by its name: a round, or an act of one.
fn link(row: &SheetRow<'_>, beat: Beat, urls: &Urls) -> Link {
    let words = match beat {
        Beat::Before => "Start".to_owned(),
        Beat::Act(_) => format!("{}, {}", row_words(&row.label), beat.words()),
        Beat::Choices | Beat::After => row_words(&row.label),
    };
    urls.link(&row.label, beat, words)
}

fn neighbours(row: &SheetRow<'_>, beat: Beat) -> (Option<Beat>, Option<Beat>) {
    let beats = Beat::of(row);
    let Some(at) = beats.iter().position(|other| *other == beat) else { return (None, None) };
    let earlier = at.checked_sub(1).and_then(|at| beats.get(at));
    (earlier.copied(), beats.get(at + 1).copied())
}

/// The first and the last moment of the match, with their keys: the result is the end. Without spoilers there are none.
fn first_and_last(rows: &[SheetRow<'_>], context: &MomentContext<'_>, history: &History) -> Vec<(&'static str, Link)> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    if context.params.spoilers.hidden() {
        return Vec::new();
    }
    let end = if history.outcome().is_over() { "Result" } else { "Latest" };
    vec![
        ("Home", context.urls.link(&first.label, Beat::Before, "First")),
        ("End", context.urls.link(&last.label, Beat::After, end)),
    ]
}

/// The duration of a beat in a replay. The time between the previous step and the last step of the row passes during
/// the choices; the other beats last long enough to be read.
fn wait_ms(history: &History, row: &SheetRow<'_>, beat: Beat) -> i64 {
    let [first, last] = [row.steps.first(), row.steps.last()];
    let before = first.and_then(|step| history.steps.iter().rev().find(|other| other.number + 1 == step.number));
    let began = before.map_or(history.opened_at, |step| step.at);
    match beat {
        Beat::Before => last.map_or(0, |step| (step.at.micros() - began.micros()).max(0) / 1000),
        Beat::Choices => 2_000,
        Beat::Act(_) | Beat::After => 3_000,
    }
}

fn sight_choice(
    visible: &VisibleMatch<'_>,
    row: &SheetRow<'_>,
    before: Option<&Duel>,
    beat: Beat,
    context: &MomentContext<'_>,
) -> SightChoice {
    let history = visible.history;
    if !history.is_ended() {
        return SightChoice::Public;
    }
    let names = visible.names();
    let [public, p1, p2, all] = ViewParams::SIGHTS;
    let links = [all, p1, p2, public].into_iter().map(|(_, sight)| {
        let words = match sight {
            Sight::Everything => "All".to_owned(),
            Sight::Public => "Public".to_owned(),
            Sight::Seat(seat) => names[seat].to_owned(),
        };
        let address = context.urls.with_params(context.params.with_sight(Some(sight))).moment(&row.label, beat);
        (words, address, visible.sight() == sight)
    });
    let duel = match beat {
        Beat::Act(number) => act(row, number).and_then(|(step, _)| step.after.as_ref()),
        Beat::After => row.after(),
        Beat::Before | Beat::Choices => before,
    };
    let views = ViewParams::SIGHTS.map(|(_, sight)| duel.map(|duel| duel.view(sight)));
    let open = beat == Beat::Before || row.steps.iter().all(|step| step.text.as_ref() == Some(&step.public));
    let same = open && views.iter().all(|view| views.first() == Some(view));
    SightChoice::All { links: links.collect(), same }
}

fn steps<'h>(
    visible: &VisibleMatch<'_>,
    row: &SheetRow<'h>,
    mut before: Option<&'h Duel>,
    beat: Beat,
    context: &MomentContext<'_>,
) -> Vec<StepView> {
    let mut list = Vec::new();
    // An umpire's ruling comes after the moves, and often ends the match; and so does what an umpire says of answers.
    let hidden = context.params.spoilers.hidden();
    let later = |step: &StepRecord| beat == Beat::Choices && (step.is_said() || hidden && step.is_ruling());
    let shown = match beat {
        Beat::Act(number) => act(row, number).map_or(0..0, |(_, at)| at..at + 1),
        _ => 0..row.steps.len(),
    };
    for (at, &step) in row.steps.iter().enumerate().filter(|(_, step)| !later(step)) {
        if !shown.contains(&at) {
            before = step.after.as_ref();
            continue;
        }
        let moves = party_moves(visible, step, before);
        list.push(StepView {
            at: (step.source != StepSource::Import).then(|| When::minute(step.at)),
            line: (moves.is_empty() && !step.is_said()).then(|| visible.line(step).to_owned()),
            revised: step.source == StepSource::Correction { changed: true },
            effects: EffectList::of(visible, [step]).explained(visible),
            moves,
        });
        before = step.after.as_ref();
    }
    list
}

fn rounds(
    visible: &VisibleMatch<'_>,
    rows: &[SheetRow<'_>],
    at: usize,
    beat: Beat,
    context: &MomentContext<'_>,
) -> Vec<RoundLink> {
    let history = visible.history;
    let shown = if context.params.spoilers.hidden() { at + 1 } else { rows.len() };
    let is_told = |n| n < at || beat == Beat::After || !context.params.spoilers.hidden();
    let link = |(n, row): (usize, &SheetRow<'_>)| RoundLink {
        label: row.label.clone(),
        address: context.urls.moment(&row.label, if n == at { beat } else { Beat::After }),
        beats: (!context.params.spoilers.hidden()).then(|| stops(row, n == 0)).flatten(),
        current: n == at,
        ruled: is_told(n) && context.strike.is_none() && row.steps.iter().any(|step| is_ruled(history, step)),
        keys: keys(n, at),
        moves: if is_told(n) { moves(visible, row) } else { BySeat::default() },
        score: row.after().filter(|_| is_told(n)).and_then(score),
    };
    rows.iter().take(shown).enumerate().map(link).collect()
}

/// The last thing that each seat did in a row.
fn moves(visible: &VisibleMatch<'_>, row: &SheetRow<'_>) -> BySeat<Vec<Action>> {
    let mut all = BySeat::default();
    let played = row.steps.iter().filter(|step| !step.is_ruling());
    for step in played {
        for party_move in sheet_moves(visible, step, visible.history.before(step.number)) {
            if let Some(name) = party_move.seat.as_ref() {
                all[name.seat] = party_move.text.actions;
            }
        }
    }
    all
}

fn score(after: &Duel) -> Option<(i32, i32)> {
    let figures = after.figures();
    let first = |seat| figures.iter().find(|figure| figure.seat == Some(seat)).map(|figure| figure.value);
    Some((first(Seat::P1)?, first(Seat::P2)?))
}

/// The moments of a row at which one stops, where that is not its end alone.
fn stops(row: &SheetRow<'_>, is_first: bool) -> Option<String> {
    let stops = Beat::of(row).into_iter().filter(|beat| match beat {
        Beat::Before => is_first,
        Beat::Choices => false,
        Beat::Act(_) | Beat::After => true,
    });
    let words: Vec<_> = stops.map(Beat::word).collect();
    (words.len() > 1).then(|| words.join(" "))
}

fn keys(to: usize, from: usize) -> &'static str {
    match () {
        () if to + 1 == from => "[",
        () if to == from + 1 => "]",
        () => "",
    }
}
