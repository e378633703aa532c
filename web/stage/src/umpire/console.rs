//! The console of one match, for its umpire and the helpers. Other umpires are told whose match it is.

use app::views::{VisibleMatch, rules_address, spoken_line};
use app::{App, named_clauses};
use askama::Template;
use axum::extract::RawQuery;
use axum::response::Response;
use engine::{Outcome, Seat, Verdict};
use ledger::{Moment, Seq};
use record::share::SHARE;
use record::words::{capital, result_sentence, row_words};
use record::{History, Mode, StepRecord};

use super::activity::{self, Activity, Umpires};
use super::announce::WordForm;
use super::chat_post::ChatPost;
use super::clock::ClockPanel;
use super::desk::{Desk, DeskSeat, Main};
use super::form_state::{FormState, confirmation};
use super::live_question::{self, AfterClose, LiveQuestion, LiveSeat};
use super::match_context::{AnybodysMatch, MatchContext};
use super::match_facts::{self, MatchFacts};
use super::not_your_match;
use super::objections::{self, OpenObjection};
use super::question::{AskedSeat, Question};
use super::share_panel::SharePanel;
use super::{early_end, form};
use page::{Board, BoardAside, Frame, InsightList, LostNotice, RoundNotice, ShuffleNotice, WaitNotice, When, page};
use web_http::Problem;

const POSTS: usize = 5;
const RECENT_ENTRIES: u32 = 40;
/// The number of recent acts listed.
const RECENT_SHOWN: usize = 8;

#[derive(Template)]
#[template(path = "umpire/console.html")]
struct Console<'c> {
    frame: Frame,
    context: &'c MatchContext,
    history: &'c History,
    state: &'c FormState,
    slug: &'c str,
    ruleset: String,
    ruleset_title: String,
    names: [String; 2],
    desk: Desk,
    head: String,
    /// The server's clock in milliseconds, for the countdowns.
    now: i64,
    aside: Option<BoardAside>,
    insights: Option<InsightList>,
    questions: Vec<Question>,
    focus_below: bool,
    lost: Option<LostNotice>,
    waits: Option<WaitNotice>,
    awaits: Option<RoundNotice>,
    objections: Vec<OpenObjection>,
    word: Option<WordForm>,
    shares: SharePanel,
    shuffle: Option<ShuffleNotice>,
    clocks: Option<ClockPanel>,
    live: Vec<LiveQuestion>,
    result: Option<String>,
    undecided: bool,
    imported: bool,
    is_void: bool,
    posts: Vec<ChatPost>,
    steps: Vec<(u32, String)>,
    correctable: Vec<(u32, String)>,
    clauses: Vec<(&'static str, &'static str)>,
    verdicts: [(&'static str, String); 4],
    decisions: Vec<(&'static str, String)>,
    statements: Vec<Statement>,
    activity: RecentActivity,
    taken_back: Vec<String>,
    after_close: Vec<AfterClose>,
    facts: MatchFacts,
}

#[derive(Debug)]
struct Statement {
    at: When,
    who: String,
    kind: String,
    rule: Option<String>,
    text: String,
}

#[derive(Debug)]
pub(super) struct RecentActivity {
    pub(super) recent: Vec<Activity>,
    pub(super) since: Vec<Activity>,
}

pub(super) fn address(slug: &str) -> String {
    format!("/umpire/m/{slug}")
}

pub(super) async fn show(
    AnybodysMatch(context): AnybodysMatch,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let value = |name: &str| query.as_deref().and_then(|query| query.strip_prefix(name));
    let (done, since) = (value("done=").and_then(confirmation), value("since=").and_then(form::read_head));
    // The context has just settled the match.
    page_of(&context, &context.history, FormState { done, since, ..FormState::default() }).await
}

pub(super) async fn render(context: &MatchContext, state: FormState) -> Result<Response, Problem> {
    let history = context.app.recorder.settle(context.match_id).await?;
    page_of(context, &history, state).await
}

#[expect(clippy::too_many_lines, reason = "each part of the page is named once")]
async fn page_of(context: &MatchContext, history: &History, state: FormState) -> Result<Response, Problem> {
    let app = &context.app;
    if let Some(foreign) = context.foreign(history).await? {
        return not_your_match::page_of(context, history, state, foreign).await;
    }
    let umpires = Umpires::all(app).await?;
    let ruleset = history.ruleset();
    let now = app.system().now();
    let (questions, live) = questions(app, history, &state);
    let live = live_question::questions(app, history, live, state.lines.as_ref()).await?;
    let facts = MatchFacts::of(context, history, &umpires).await?;
    let desk = Desk::of(history, &Main::of(&questions, &live), &facts.presence, now);
    let title = format!("{}: {}", desk.heading, history.bout());
    let (_, aside) = Board::of(&VisibleMatch::umpire(history), "Now", history.duel(), None).parted();
    let console = Console {
        frame: context.frame(title),
        context,
        history,
        slug: &context.slug,
        ruleset: rules_address(history),
        ruleset_title: ruleset.card().name(),
        now: now.micros() / 1000,
        head: form::write_head(history.head),
        aside,
        insights: Some(InsightList::of(&VisibleMatch::umpire(history), history.duel()))
            .filter(|found| !found.is_empty() && !history.is_ended()),
        focus_below: questions.iter().chain(live.iter().map(|live| &live.question)).any(Question::is_wrong)
            || state.lines.as_ref().is_some_and(|lines| lines.unsure),
        questions,
        lost: LostNotice::now(app, history).await?.map(LostNotice::for_umpire),
        waits: WaitNotice::now(app, history).await?,
        awaits: RoundNotice::now(app, history),
        clocks: ClockPanel::of(app, history).await?,
        objections: objections::open(history),
        word: WordForm::of(history, &state),
        live,
        desk,
        shares: SharePanel::of(history),
        shuffle: ShuffleNotice::now(app, history).await?,
        result: result(history),
        undecided: matches!(history.outcome(), Outcome::Over(ending) if ending.verdict == Verdict::Undecided),
        imported: history.opened.mode == Mode::Imported,
        is_void: history.outcome().tag() == Verdict::Void.word(),
        posts: ChatPost::latest(history, &context.site, POSTS, now),
        correctable: step_choices(history, |step| !step.is_ruling() && !history.is_host_drawn(step)),
        steps: step_choices(history, |_| true),
        clauses: named_clauses(ruleset).iter().map(|clause| (clause.number, clause.title)).collect(),
        verdicts: verdicts(history),
        decisions: early_end::choices(history.both_names()),
        statements: statements(history, &umpires, now),
        activity: RecentActivity::of(context, history, &umpires, &state).await?,
        taken_back: live_question::taken_back(app, history).await?,
        after_close: live_question::after_close(app, history).await?,
        facts,
        names: Seat::BOTH.map(|seat| history.name(seat).to_owned()),
        state: &state,
    };
    let mut response = page(&console)?;
    *response.status_mut() = state.status;
    Ok(response)
}

/// The desk of a match by itself, for a look at many.
pub(super) async fn desk_of(context: &MatchContext) -> Result<Desk, Problem> {
    let (app, history) = (&context.app, &context.history);
    let (questions, live) = questions(app, history, &FormState::default());
    let live = live_question::questions(app, history, live, None).await?;
    let (presence, now) = (match_facts::presence(context, history, app.system().now()).await?, app.system().now());
    Ok(Desk::of(history, &Main::of(&questions, &live), &presence, now))
}

/// The questions that the umpire answers, and those that the players of a live match answer. The host's draw is always
/// the umpire's.
fn questions(app: &App, history: &History, state: &FormState) -> (Vec<Question>, Vec<Question>) {
    let mut all = Question::all(history, state.lines.as_ref());
    let sealed = history.open.iter().filter(|open| !open.sealed.is_empty() && open.asked.what != SHARE);
    let sealed: Vec<&str> = sealed.map(|open| open.asked.decision.as_str()).collect();
    if !sealed.is_empty() {
        // It is answered, and until it is open nothing is drawn.
        all.retain(|question| !sealed.contains(&question.decision.as_str()) && !question.is_draw());
    }
    if history.closed_at.is_some() {
        // What comes after a step that cannot be replayed is not known.
        all.clear();
    }
    // It is made by itself once its round is there.
    if history.awaited_round().is_some() {
        all.retain(|question| !question.is_draw());
    }
    let (mut questions, mut live): (Vec<Question>, Vec<Question>) =
        all.into_iter().partition(|question| question.is_draw() || !history.is_live());
    Question::sort(&mut questions);
    // What the match waits for comes first.
    live.sort_by_key(|question| question.optional);
    for draw in questions.iter_mut().filter(|question| question.is_draw() && !question.optional) {
        draw.early = app.commands.draw_is_early(history);
    }
    set_cursor(&mut questions);
    (questions, live)
}

impl Console<'_> {
    fn main(&self) -> Main<'_> {
        Main::of(&self.questions, &self.live)
    }

    fn main_live(&self) -> Option<&LiveQuestion> {
        if let Main::Live(live) = self.main() { Some(live) } else { None }
    }

    fn main_typed(&self) -> Option<&Question> {
        if let Main::Typed(question) = self.main() { Some(question) } else { None }
    }

    fn main_decision(&self) -> &str {
        self.desk.decision.as_deref().unwrap_or_default()
    }

    fn is_main(&self, decision: &str) -> bool {
        self.main_decision() == decision
    }

    fn live_seat(&self, side: &DeskSeat) -> Option<&LiveSeat> {
        self.main_live()?.seats.iter().find(|asked| asked.asked.party.seat() == Some(side.seat))
    }

    fn typed_seat(&self, side: &DeskSeat) -> Option<&AskedSeat> {
        self.main_typed()?.seats.iter().find(|asked| asked.party.seat() == Some(side.seat))
    }

    /// The form that opens a match of the same game, with the seats swapped.
    fn rematch(&self) -> Option<String> {
        let can = self.history.is_ended() && !self.imported && self.history.ruleset().declaration().is_none();
        let [one, two] = &self.names;
        let practice = if self.frame.practice.is_some() { "on" } else { "" };
        let fields = [("ruleset", &*self.history.opened.ruleset), ("p1", two), ("p2", one), ("practice", practice)];
        can.then(|| page::with_parameters("/umpire/open", fields))
    }

    fn paused_for(&self) -> Option<&str> {
        self.clocks.as_ref()?.why.as_deref()
    }
}

impl RecentActivity {
    pub(super) async fn of(
        context: &MatchContext,
        history: &History,
        umpires: &Umpires,
        state: &FormState,
    ) -> Result<Self, Problem> {
        let from = Seq(history.head.next.0.saturating_sub(RECENT_ENTRIES));
        let mut recent = activity::since(&context.app, umpires, context.match_id, from).await?;
        recent.reverse();
        recent.truncate(RECENT_SHOWN);
        let since = match state.since.filter(|seen| *seen != history.head) {
            Some(seen) => activity::since(&context.app, umpires, context.match_id, seen.next).await?,
            None => Vec::new(),
        };
        Ok(Self { recent, since })
    }
}

fn verdicts(history: &History) -> [(&'static str, String); 4] {
    let wins = |seat| format!("{} wins", history.name(seat));
    [("p1", wins(Seat::P1)), ("p2", wins(Seat::P2)), ("undecided", "Undecided".to_owned()), ("void", "Void".to_owned())]
}

/// Sets the cursor: to the first line of the first question that has input, or else of the first question.
fn set_cursor(questions: &mut [Question]) {
    let begun = questions.iter().position(Question::is_begun).unwrap_or(0);
    for (n, question) in questions.iter_mut().enumerate() {
        if n != begun {
            question.seats.iter_mut().for_each(|asked| asked.first = false);
        }
    }
}

pub(super) fn result(history: &History) -> Option<String> {
    let outcome = history.outcome();
    outcome.is_over().then(|| result_sentence(outcome, history.both_names()))
}

pub(super) fn line_of(step: &StepRecord) -> &str {
    step.text.as_deref().unwrap_or(&step.public)
}

pub(super) fn step_words(history: &History, number: u32) -> String {
    let rows = history.rows();
    let row = rows.iter().find(|row| row.steps.iter().any(|step| step.number == number));
    match row {
        Some(row) if row.steps.len() == 1 => row_words(&row.label),
        Some(row) => format!("{}, step {number}", row_words(&row.label)),
        None => format!("Step {number}"),
    }
}

pub(super) fn place_in_sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn step_choices(history: &History, wanted: impl Fn(&StepRecord) -> bool) -> Vec<(u32, String)> {
    let steps = history.steps.iter().rev().filter(|step| wanted(step));
    let named = steps.map(|step| {
        let (number, line) = (step.number, line_of(step));
        let line = line.strip_prefix(&format!("{}. ", step.row.round)).unwrap_or(line);
        let line = spoken_line(history, line).unwrap_or_else(|| line.to_owned());
        (number, format!("{}: {line}", step_words(history, number)))
    });
    named.collect()
}

fn statements(history: &History, umpires: &Umpires, now: Moment) -> Vec<Statement> {
    let clock = |at| When::second_on(at, now);
    let remarks = history.remarks.iter().map(|remark| {
        let statement = Statement {
            at: clock(remark.at),
            who: umpires.name(&remark.by),
            kind: history.remark_title(remark),
            rule: remark.rule.clone(),
            text: capital(remark.text.or("(withdrawn)")),
        };
        (remark.entry, statement)
    });
    let strikes = history.strikes.iter().map(|strike| {
        let text = strike.reason.or("(withdrawn)");
        let kind = if strike.correction == record::Correction::None { "Strike" } else { "Correction" }.to_owned();
        let text = format!("from step {}: {text}", strike.from);
        (strike.entry, Statement { at: clock(strike.at), who: umpires.name(&strike.by), kind, rule: None, text })
    });
    let mut all: Vec<_> = remarks.chain(strikes).collect();
    all.sort_by_key(|(entry, _)| core::cmp::Reverse(*entry));
    all.into_iter().map(|(_, statement)| statement).collect()
}
