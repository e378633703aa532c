//! The console of one match.

use askama::Template;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use engine::{Outcome, Seat, Verdict};
use ledger::{Head, Moment, Seq};
use record::body::Does;
use record::words::result_sentence;
use record::{History, HostAct, Mode, StepRecord};

use super::activity::{self, Happened, Umpires};
use super::chat_post::Post;
use super::clock::ClockPanel;
use super::live_question::{self, AfterClose, LiveQuestion};
use super::match_context::Chair;
use super::match_facts::TableFacts;
use super::objections::Objections;
use super::question::{Question, Typed};
use super::refused_form::{Duties, Duty};
use super::ruling::{Remark, Ruling};
use super::{early_end, form, frame, shown};
use crate::page::{Board, Frame, InsightList, Problem, Shown, When};

/// The number of rounds that can be copied.
const POSTS: usize = 5;
/// The number of entries searched for recent acts.
const LATELY: u32 = 40;
/// The number of recent acts listed.
const LATELY_SHOWN: usize = 8;

/// The input and result of a form, shown again in the console.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// The confirmation of an act.
    pub(super) done: Option<&'static str>,
    /// The reason of a refusal.
    pub(super) problem: Option<String>,
    /// Another person's earlier act.
    pub(super) conflict: Option<Conflict>,
    /// The input for a decision.
    pub(super) typed: Option<Typed>,
    /// The ruling's form.
    pub(super) ruling: Ruling,
    /// Another refused form.
    pub(super) duty: Option<Duty>,
    /// The head on somebody's page, who asks for the changes since.
    pub(super) since: Option<Head>,
    /// The remark's form.
    pub(super) remark: Remark,
}

/// Another person's earlier act.
#[derive(Debug)]
pub(super) struct Conflict {
    /// In one sentence.
    pub(super) title: &'static str,
    /// Their acts since this page was shown.
    pub(super) happened: Vec<Happened>,
    /// The input, by field.
    pub(super) typed: Vec<(String, String)>,
}

/// A ruling, a remark or a strike, as the console lists it.
#[derive(Debug)]
pub(super) struct Said {
    at: When,
    who: String,
    kind: &'static str,
    rule: Option<String>,
    text: String,
}

#[derive(Template)]
#[template(path = "umpire/console.html")]
struct Console<'c> {
    frame: Frame,
    brought: &'c Brought,
    slug: &'c str,
    ruleset: String,
    ruleset_title: String,
    heading: String,
    names: [String; 2],
    head: String,
    /// The server's clock in milliseconds, for the countdowns.
    now: i64,
    board: Board,
    /// The findings of a search, while they are being judged.
    insights: Option<InsightList>,
    questions: Vec<Question>,
    /// The players' objections.
    objections: Objections,
    /// The seats whose listed share cannot be opened: word, name, and the form's id.
    unopened: Vec<(&'static str, String, String)>,
    /// The clocks of the open questions.
    clocks: Option<ClockPanel>,
    /// The questions that the players answer by themselves.
    live: Vec<LiveQuestion>,
    /// True if the players answer by themselves.
    is_live: bool,
    /// The sentence on the result, if there is one.
    result: Option<String>,
    /// True if the rules name no winner and the umpire may.
    undecided: bool,
    over: bool,
    ended: bool,
    imported: bool,
    /// True if nobody won and nothing counts.
    is_void: bool,
    posts: Vec<Post>,
    steps: Vec<(u32, String)>,
    correctable: Vec<(u32, String)>,
    clauses: Vec<(&'static str, &'static str)>,
    verdicts: [(&'static str, String); 4],
    decisions: Vec<(&'static str, String)>,
    said: Vec<Said>,
    lately: Vec<Happened>,
    /// Answers after their question was closed.
    after_close: Vec<AfterClose>,
    /// The acts since the asking page was shown.
    since: Vec<Happened>,
    duties: Duties<'c>,
    table: TableFacts,
    rule_form: String,
    /// The ids of the forms with a reason, in the order of the page, and of those that admit late answers.
    forms: [String; 6],
    note_form: String,
    end_form: String,
}

/// The address of a match's console.
pub(super) fn address(slug: &str) -> String {
    format!("/umpire/m/{slug}")
}

/// `GET /umpire/m/{slug}`.
pub(super) async fn show(chair: Chair, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let done = query.as_deref().and_then(|query| query.strip_prefix("done=")).and_then(|what| match what {
        "opened" => Some("The match is open."),
        "imported" => Some("The match is entered."),
        "ruled" => Some("The ruling is recorded."),
        "noted" => Some("The remark is recorded."),
        "warned" => Some("The warning is recorded."),
        "admitted" => Some("The late answer is admitted, and counts."),
        "recorded" => Some("From here on you type for both seats."),
        "handed" => Some("The match is handed over."),
        "kept" => Some("The note is kept. Only umpires see it."),
        "stored" => Some("What you typed is stored."),
        "late" => Some("What you typed was sent after the deadline. It is kept, and counts only if you admit it."),
        "struck" => Some("The steps are struck. The match goes on from there."),
        "corrected" => Some("The correction is recorded."),
        "ended" => Some("The match is ended, and everything is open."),
        _ => None,
    });
    let since = query.as_deref().and_then(|query| query.strip_prefix("since=")).and_then(form::read_head);
    render(&chair, Brought { done, since, ..Brought::default() }).await
}

/// The current console, with the input and result of a form.
pub(super) async fn render(chair: &Chair, brought: Brought) -> Result<Response, Problem> {
    let history = chair.book.settle(chair.match_id).await?;
    let umpires = Umpires::all(&chair.book).await?;
    let from = Seq(history.head.next.0.saturating_sub(LATELY));
    let mut lately = activity::since(&chair.book, &umpires, chair.match_id, from).await?;
    lately.reverse();
    lately.truncate(LATELY_SHOWN);
    let fresh = || form::fresh(chair.book.mint());
    let since = match brought.since.filter(|seen| *seen != history.head) {
        Some(seen) => activity::since(&chair.book, &umpires, chair.match_id, seen.next).await?,
        None => Vec::new(),
    };
    let table = TableFacts::of(chair, &history, &umpires).await?;
    let outcome = history.outcome();
    let live = live_question::questions(&chair.book, &history, brought.typed.as_ref(), fresh).await?;
    let mut questions = Question::all(&history, brought.typed.as_ref(), fresh);
    for draw in questions.iter_mut().filter(|question| question.is_draw() && !question.optional) {
        draw.early = chair.book.draw_is_early(&history);
    }
    if history.is_live() {
        questions.retain(Question::is_draw);
    }
    cursor(&mut questions);
    let names = Seat::BOTH.map(|seat| history.name(seat).to_owned());
    let bout = format!("{} – {}", names[0], names[1]);
    let gathers = questions.iter().any(|question| question.is_share());
    let round = history.duel().coming_round().filter(|_| !questions.is_empty() && !gathers);
    let asked = questions.iter().rev().find(|question| !question.is_button()).map(|question| question.prompt.clone());
    let heading = round.map(|round| format!("Round {round}")).or(asked);
    let title = heading.as_ref().map_or_else(|| bout.clone(), |heading| format!("{heading}: {bout}"));
    let heading = heading.unwrap_or(bout);
    let ruleset = engine::ruleset(&history.setup.ruleset).map_err(|error| Problem::broken(&error))?;
    let card = ruleset.card();
    let steps = listed(&history, |_| true);
    let now = chair.book.mint().now();
    let console = Console {
        frame: frame(title, &chair.umpire),
        slug: &chair.slug,
        ruleset: card.id.to_owned(),
        ruleset_title: format!("{}, {}", card.title, card.hosting),
        heading,
        now: now.micros() / 1000,
        head: form::write_head(history.head),
        board: Board::of(&Shown::umpire(&history), "How it stands", history.duel(), None),
        insights: Some(InsightList::of(&Shown::umpire(&history), history.duel()))
            .filter(|found| !found.is_empty() && !history.is_ended()),
        questions,
        clocks: ClockPanel::of(&chair.book, &history, &chair.slug, fresh).await?,
        objections: Objections::of(&history, &chair.slug, form::write_head(history.head), fresh),
        live,
        is_live: history.is_live(),
        unopened: unopened(&history)
            .into_iter()
            .map(|seat| (seat.word(), history.name(seat).to_owned(), fresh()))
            .collect(),
        result: result(&history),
        undecided: matches!(outcome, Outcome::Over(ending) if ending.verdict == Verdict::Undecided),
        over: outcome.is_over(),
        ended: history.is_ended(),
        imported: history.opened.mode == Mode::Imported,
        is_void: history.outcome().tag() == Verdict::Void.word(),
        posts: Post::latest(&history, &chair.site, POSTS, now),
        correctable: listed(&history, |step| !is_decision(step) && !history.is_host_drawn(step)),
        steps,
        clauses: ruleset.clauses().iter().map(|clause| (clause.number, clause.title)).collect(),
        verdicts: [
            ("p1", format!("{} wins", names[0])),
            ("p2", format!("{} wins", names[1])),
            ("undecided", "Undecided".to_owned()),
            ("void", "Void".to_owned()),
        ],
        decisions: early_end::choices(history.both_names()),
        said: said(&history, &umpires, now),
        lately,
        after_close: live_question::after_close(&chair.book, &history).await?,
        names,
        rule_form: fresh(),
        forms: [(); 6].map(|()| fresh()),
        since,
        duties: Duties(brought.duty.as_ref()),
        table,
        note_form: fresh(),
        end_form: fresh(),
        brought: &brought,
    };
    shown(brought.status, &console)
}

/// The seats whose share is listed while the host cannot open it and continue.
fn unopened(history: &History) -> Vec<Seat> {
    let list = history.seeds.last().and_then(|seed| seed.lists.last());
    let stuck = list.filter(|_| history.host_act() == Some(HostAct::Open));
    stuck.map_or_else(Vec::new, |list| Seat::BOTH.into_iter().filter(|seat| list.sealed[*seat].is_some()).collect())
}

/// Sets the cursor: to the first line of the first question that has input, or else of the first question.
fn cursor(questions: &mut [Question]) {
    let begun = questions.iter().position(Question::is_begun).unwrap_or(0);
    for (n, question) in questions.iter_mut().enumerate() {
        if n != begun {
            question.seats.iter_mut().for_each(|asked| asked.first = false);
        }
    }
}

/// The winner and the reason, or that nobody won; none while the match runs.
pub(super) fn result(history: &History) -> Option<String> {
    let outcome = history.outcome();
    outcome.is_over().then(|| result_sentence(outcome, history.both_names()))
}

/// A step's line as the umpire may read it.
pub(super) fn line_of(step: &StepRecord) -> &str {
    step.text.as_deref().unwrap_or(&step.public)
}

/// True if an umpire's decision on the result made the step.
pub(super) fn is_decision(step: &StepRecord) -> bool {
    line_of(step).starts_with("umpire:")
}

/// The steps to choose from, newest first: "step 7: score / grow", with its round if the numbers differ.
fn listed(history: &History, wanted: impl Fn(&StepRecord) -> bool) -> Vec<(u32, String)> {
    let steps = history.steps.iter().rev().filter(|step| wanted(step));
    let named = steps.map(|step| {
        let (number, round, line) = (step.number, step.row.round, line_of(step));
        let line = line.strip_prefix(&format!("{round}. ")).unwrap_or(line);
        let round = if round == number { String::new() } else { format!(", round {round}") };
        (number, format!("step {number}{round}: {line}"))
    });
    named.collect()
}

/// Rulings, remarks and strikes, newest first.
fn said(history: &History, umpires: &Umpires, now: Moment) -> Vec<Said> {
    let clock = |at| When::second_on(at, now);
    let remarks = history.remarks.iter().map(|remark| {
        let said = Said {
            at: clock(remark.at),
            who: umpires.name(&remark.by),
            kind: match (&remark.does, remark.ruling, remark.objects) {
                (Some(Does::Warns(_)), ..) => "Warning",
                (_, true, _) => "Ruling",
                (.., Some(_)) => "Objection",
                _ => "Remark",
            },
            rule: remark.rule.clone(),
            text: remark.text.or("(withdrawn)").to_owned(),
        };
        (remark.entry, said)
    });
    let strikes = history.strikes.iter().map(|strike| {
        let text = strike.reason.or("(withdrawn)");
        let kind = if strike.correction == record::Correction::None { "Strike" } else { "Correction" };
        let text = format!("from step {}: {text}", strike.from);
        (strike.entry, Said { at: clock(strike.at), who: umpires.name(&strike.by), kind, rule: None, text })
    });
    let mut all: Vec<_> = remarks.chain(strikes).collect();
    all.sort_by_key(|(entry, _)| core::cmp::Reverse(*entry));
    all.into_iter().map(|(_, said)| said).collect()
}
