//! The page of a variation. Every part of it says that it is not official.

use std::sync::Arc;

use app::App;
use app::reader_threads::compute;
use app::views::{Beat, VisibleMatch, match_address};
use askama::Template;
use axum::Extension;
use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use engine::{Duel, Seat};
use record::words::{result_sentence, standing};
use record::{History, StepRecord};

use super::ReplayPermits;
use super::answer_fields::Answer;
use super::question::Question;
use super::starting_point::Start;
use super::variation::{LINES_MAX, LimitError, RefusedLine, Variation, lines};
use page::{Board, EffectList, Frame, PartyMove, party_moves, what_if_address, with_parameters};
use web_http::visitor::Visitor;
use web_http::{ErrorKind, Problem, Segments, site};

type Parameters = Vec<(String, String)>;

enum Outcome {
    Page(StatusCode, String),
    Redirect(String),
}

#[derive(Template)]
#[template(path = "whatif/show.html")]
struct Page {
    frame: Frame,
    address: String,
    official: String,
    path: String,
    title: String,
    game: String,
    words: String,
    link: String,
    back: Option<String>,
    lines: Vec<String>,
    /// The last step, and the real one there.
    last: Option<(StepView, Option<StepView>)>,
    elsewhere: bool,
    same: bool,
    board: Board,
    result: Option<String>,
    refused: Option<RefusedLine>,
    questions: Vec<Question>,
    full: Option<usize>,
    steps: Vec<VariationStep>,
}

struct StepView {
    moves: Vec<PartyMove>,
    line: String,
    effects: EffectList,
    standing: String,
    result: Option<String>,
}

struct VariationStep {
    line: String,
    standing: String,
    address: String,
    /// The real line and the state then; none if nothing more was played.
    played: Option<(String, String)>,
    same: bool,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(permits): Extension<Arc<ReplayPermits>>,
    visitor: Visitor,
    Segments((slug, row, beat)): Segments<(String, String, String)>,
    Query(parameters): Query<Parameters>,
    RawQuery(query): RawQuery,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await?;
    let Ok(beat) = beat.parse::<Beat>() else {
        return Err(Problem::not_found(
            "A round has three moments: before, choices and after, and one after each act but the last.",
        )
        .back(match_address(history.match_id), "Go to the match"));
    };
    let lines = lines(&parameters, query.map_or(0, |query| query.len())).map_err(|error| {
        limit_problem(error).back(what_if_address(history.match_id, &row, beat), "Begin again at the official moment")
    })?;
    let (umpire, site) = (visitor.name(), site(&request));
    // None when the program shuts down.
    let _permit = permits.0.acquire().await.ok();
    let draw = move || replay(&history, (&row, beat), &lines, &parameters, umpire, &site);
    let outcome = compute(draw).await.map_err(|error| Problem::broken(&error))??;
    let mut response = match outcome {
        Outcome::Page(status, html) => (status, Html(html)).into_response(),
        Outcome::Redirect(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
    Ok(response)
}

/// `GET /m/{slug}/struck/{entry}/r/{row}/{beat}/what-if`: refused, because struck rounds cannot be varied.
pub(super) async fn struck(
    State(app): State<Arc<App>>,
    Segments((slug, _, _, _)): Segments<(String, String, String, String)>,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await?;
    let detail = "This round was struck and no longer counts. Other moves can be tried from the rounds that count.";
    Err(Problem::not_found(detail).back(match_address(history.match_id), "Go to the match"))
}

fn limit_problem(error: LimitError) -> Problem {
    Problem::of(ErrorKind::TooMuchWork, error.to_string())
}

fn replay(
    history: &History,
    (row, beat): (&str, Beat),
    lines: &[String],
    parameters: &Parameters,
    umpire: Option<String>,
    site: &str,
) -> Result<Outcome, Problem> {
    let start = Start::of(history, row, beat)?;
    let variation = Variation::of(&start, lines);
    let path = what_if_address(history.match_id, row, beat);
    let mut questions = Vec::new();
    if !variation.is_full() {
        let answer = Answer::of(parameters);
        questions = Question::all(&variation, answer.as_ref());
        for question in &mut questions {
            let Some(line) = question.line(&variation) else { continue };
            match variation.try_line(&line) {
                Ok(step) => {
                    let longer = address(&path, variation.texts().chain(step.text.as_deref()));
                    return Ok(Outcome::Redirect(format!("{longer}#came")));
                }
                Err(error) => question.refuse(error),
            }
        }
    }
    let wrong = variation.refused.is_some() || questions.iter().any(Question::is_refused);
    let status = if wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = Page::of(&variation, path, questions, umpire, site);
    let html = page.render().map_err(|error| Problem::broken(&error))?;
    Ok(Outcome::Page(status, html))
}

fn address<'t>(path: &str, lines: impl IntoIterator<Item = &'t str>) -> String {
    with_parameters(path, lines.into_iter().map(|line| ("line", line)))
}

impl Page {
    fn of(
        variation: &Variation<'_, '_>,
        path: String,
        questions: Vec<Question>,
        umpire: Option<String>,
        site: &str,
    ) -> Self {
        let (start, history, duel) = (variation.start, variation.start.history(), variation.duel());
        let texts: Vec<&str> = variation.texts().collect();
        let up_to = |steps: usize| address(&path, texts.iter().take(steps).copied());
        let length = texts.len();
        let before = length.checked_sub(1);
        let played = |at: usize| Some((start.played.get(at)?, played_before(start, at)?));
        let same = variation.common_steps();
        let compared_step = before.map(|at| variation.compared_step(at));
        let last = before.and_then(|at| {
            let view = StepView::of(&start.visible, variation.steps.get(at)?, variation.after(at));
            let played =
                compared_step.and_then(played).map(|(step, before)| StepView::of(&start.visible, step, before));
            Some((view, played))
        });
        let steps = variation.steps.iter().enumerate().map(|(at, step)| VariationStep {
            line: start.visible.line(step).to_owned(),
            standing: standing(variation.after(at + 1)),
            address: up_to(at + 1),
            played: start.played.get(at).map(|step| {
                (start.visible.line(step).to_owned(), step.after.as_ref().map(standing).unwrap_or_default())
            }),
            same: at < same,
        });
        let title = format!("{} \u{2013} {}", history.name(Seat::P1), history.name(Seat::P2));
        let frame = Frame::titled(format!("What if, {}: {title} (not official)", start.words()))
            .in_section("archive")
            .about(history.match_id);
        let board_title = if length == 0 { "The starting state" } else { "The state that would be" };
        Self {
            frame: Frame { umpire, ..frame },
            address: match_address(history.match_id),
            official: start.beat.address(history.match_id, &start.label),
            title,
            game: history.ruleset().card().name(),
            words: start.words(),
            link: format!("{site}{}", up_to(length)),
            back: if variation.refused.is_some() { Some(length) } else { before }.map(up_to),
            last,
            elsewhere: compared_step != before,
            same: same == length,
            board: Board::of(&start.visible, board_title, duel, before.map(|before| variation.after(before))),
            result: duel.outcome().is_over().then(|| result_sentence(duel.outcome(), history.both_names())),
            refused: variation.refused.clone(),
            questions,
            full: (variation.is_full() && !duel.outcome().is_over()).then_some(LINES_MAX),
            steps: steps.collect(),
            lines: texts.iter().map(|&text| text.to_owned()).collect(),
            path,
        }
    }
}

fn played_before<'h>(start: &Start<'h>, at: usize) -> Option<&'h Duel> {
    match at.checked_sub(1) {
        None => Some(start.duel),
        Some(before) => start.played.get(before)?.after.as_ref(),
    }
}

impl StepView {
    fn of(visible: &VisibleMatch<'_>, step: &StepRecord, before: &Duel) -> Self {
        let effects = EffectList::of(visible, [step]).explained(visible);
        let over = step.after.as_ref().map(|duel| duel.outcome()).filter(engine::Outcome::is_over);
        Self {
            moves: party_moves(visible, step, Some(before))
                .into_iter()
                .filter(|party_move| !party_move.is_repeated_by(&effects))
                .collect(),
            line: visible.line(step).to_owned(),
            standing: step.after.as_ref().map(standing).unwrap_or_default(),
            result: over.map(|outcome| result_sentence(outcome, visible.names())),
            effects,
        }
    }
}
