//! A seat's page: the open questions, the recorded moves, and every receipt.

use std::sync::Arc;

use app::obstacle::Obstacle;
use app::receipts::{ReceiptFate, SeatReceipt};
use app::seats::SigningKey;
use app::views::{VisibleMatch, pause_reason, receipt_words, rules_address};
use askama::Template;
use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use axum::response::{Redirect, Response};
use engine::Seat;
use ledger::{DecisionId, Hash, Moment, PlayerId, Seq};
use record::words::{listed, row_words};
use record::{ClockState, History};

use super::confirmation::{Confirmation, SubmissionName};
use super::last_round::LastRound;
use super::late_answer::{AdmittedAnswer, LateAnswer, admitted_answers, late_answers, late_inputs};
use super::link_notice::{LinkNotice, link_notices};
use super::player::Player;
use super::question::{Question, question};
use super::ready::Lobby;
use super::recorded_moves::{RecordedMove, recorded_moves};
use super::umpire_said::UmpireSaid;
use super::{progress, ready, share};
use page::controls::Controls;
use page::{
    Board, BoardAside, Frame, Lead, LostNotice, MatchEnd, RoundNotice, SeatName, ShuffleNotice, StageClock, StageTable,
    WaitNotice, When, rendered,
};
use web_http::{ErrorKind, Problem};

/// The heading of a refusal.
const NOTHING_STORED: &str = "Nothing was stored";

#[derive(Debug, Default)]
pub(super) struct FormState {
    pub(super) status: StatusCode,
    pub(super) problem: Option<Problem>,
    /// The decision and the fields of a submitted form.
    pub(super) typed: Option<(String, Vec<(String, String)>)>,
    pub(super) refused: Option<super::recorded_moves::RefusedObjection>,
    pub(super) received: Option<SubmissionName>,
}

impl FormState {
    fn heading(&self) -> &'static str {
        match self.problem.as_ref().map(|problem| problem.kind) {
            Some(ErrorKind::TooLate) => "Too late",
            Some(ErrorKind::AlreadyAnswered) => "Answered before",
            _ => NOTHING_STORED,
        }
    }
}

#[derive(Debug)]
struct ReceiptRow {
    address: String,
    name: String,
    at: When,
    fate: &'static str,
    is_final: bool,
    text: String,
}

#[derive(Template)]
#[template(path = "play/seat_page.html")]
struct Page<'p> {
    frame: Frame,
    slug: &'p str,
    rules: String,
    /// What is asked and counted, in a game that its umpire declared.
    declared: Vec<String>,
    seat: &'static str,
    table: StageTable,
    lobby: Option<Lobby>,
    course: String,
    game: String,
    doing: String,
    /// Its state for the style sheet, and in words.
    state: (&'static str, String),
    clock: Option<StageClock>,
    aside: Option<BoardAside>,
    form_state: &'p FormState,
    received: Option<Confirmation>,
    last: Option<LastRound>,
    questions: Vec<Question>,
    cursor: usize,
    waits: Option<String>,
    /// The deadline that this seat waits for.
    waits_until: Option<(String, When)>,
    umpire_said: Vec<UmpireSaid>,
    late: Vec<LateAnswer>,
    /// The moves of this seat whose question was taken back since the last one was played: the decision, and its words.
    given_up: Vec<(DecisionId, String)>,
    lost: Option<LostNotice>,
    sealed: Option<WaitNotice>,
    shuffle: Option<ShuffleNotice>,
    /// The players whose part did not come, and the entry that says so.
    unopened: Option<(Seq, String)>,
    awaits: Option<RoundNotice>,
    result: Option<MatchEnd>,
    moves: Vec<RecordedMove>,
    receipts: Vec<ReceiptRow>,
    admitted: Vec<AdmittedAnswer>,
    origin: String,
    match_id: String,
    signs: SigningKey,
    vouched_by: Option<PlayerId>,
    /// The leaf hash of the match's first entry, which a registered player signs.
    opened: Hash,
    log: String,
    stands: String,
    /// The server's clock in milliseconds, for the script.
    now: i64,
    obstacle: Option<Obstacle>,
    shares: String,
    links: Vec<LinkNotice>,
    ready: String,
    live: bool,
    ended: bool,
}

impl Page<'_> {
    fn first(&self) -> Option<&Question> {
        self.questions.get(self.cursor)
    }

    /// True if the dock says what is waited for, because nothing is asked.
    fn is_waiting(&self) -> bool {
        self.result.is_none() && self.lobby.is_none() && (self.questions.is_empty() || self.shuffle.is_some())
    }

    /// The ways to the other open questions, of which one at a time is in sight.
    fn others(&self, shown: &Question) -> Vec<(&str, String)> {
        let others = self.questions.iter().filter(|other| other.decision != shown.decision && other.single().is_none());
        others.map(|other| (other.decision.as_str(), other.title().to_owned())).collect()
    }

    fn refused(&self) -> &'static str {
        let is_sent = self.first().is_some_and(|question| question.last_submission.is_some());
        match self.form_state.heading() {
            NOTHING_STORED if is_sent => "Not changed",
            heading => heading,
        }
    }

    /// True if an objection was refused: its form says why.
    fn is_objecting(&self) -> bool {
        self.moves.iter().any(|entered| entered.refused.is_some())
    }

    fn news(&self) -> Vec<&UmpireSaid> {
        self.umpire_said.iter().filter(|said| said.is_news).collect()
    }
}

pub(super) fn address(slug: &str, seat: Seat) -> String {
    format!("/play/m/{slug}/{seat}")
}

pub(super) async fn show(player: Player, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let received = query.as_deref().and_then(SubmissionName::read);
    render(&player, FormState { received, ..FormState::default() }).await
}

pub(super) async fn back(Path((slug, seat)): Path<(String, String)>) -> Redirect {
    Redirect::to(&format!("/play/m/{slug}/{seat}"))
}

#[expect(clippy::too_many_lines, reason = "each part of the page is named once")]
pub(super) async fn render(player: &Player, form_state: FormState) -> Result<Response, Problem> {
    let seat = player.chair.seat;
    let history = player.app.matches.history(player.chair.match_id).await?;
    let receipts = player.receipts().await?;
    let late = late_inputs(player, &history).await?;
    let questions = questions(player, &history, &receipts, &form_state).await?;
    let cursor = cursor(&questions);
    let received = form_state.received.as_ref().and_then(|received| Confirmation::of(&history, &receipts, received));
    let (lost, awaits) = (LostNotice::now(&player.app, &history).await?, RoundNotice::now(&player.app, &history));
    let sealed = WaitNotice::now(&player.app, &history).await?;
    let shuffle = ShuffleNotice::now(&player.app, &history).await?;
    let waits = questions.is_empty() && shuffle.is_none() && lost.is_none() && sealed.is_none() && awaits.is_none();
    // What is decided waits for nobody but the umpire, and the result says so.
    let waits = waits && !history.is_ended() && !history.outcome().is_over();
    let shown = player.access.view(&history);
    let (_, aside) = Board::of(&shown, "The table", history.duel(), None).parted();
    let lobby = ready::lobby(player, &history).await?.filter(|_| receipts.is_empty());
    let page = Page {
        frame: Frame::titled(title(&history, seat, questions.get(cursor))).about(history.match_id),
        slug: &player.slug,
        rules: rules_address(&history),
        declared: history.ruleset().declaration().map(|game| game.sentences()).unwrap_or_default(),
        seat: seat.word(),
        table: table(&shown, &questions, cursor, seat),
        lobby,
        course: course(&history),
        game: history.ruleset().card().title.to_string(),
        doing: doing(&history, questions.get(cursor)),
        state: state(&history, questions.get(cursor)),
        clock: clock(&history, questions.get(cursor), player.app.system().now()),
        aside,
        umpire_said: UmpireSaid::of(&shown, seat, player.app.system().now()),
        late: late_answers(player, &history, &late),
        given_up: given_up(&history, &receipts),
        waits: waits.then(|| waiting(&history)),
        waits_until: waits.then(|| waits_until(&history, player.app.system().now())).flatten(),
        lost,
        sealed,
        shuffle,
        unopened: unopened(&history),
        awaits,
        result: MatchEnd::of(&history, Some(seat)),
        moves: recorded_moves(player, &history, &late, form_state.refused.as_ref()),
        receipts: receipt_rows(player, &history, &receipts).await?,
        admitted: admitted_answers(player, &history, &late),
        origin: history.origin.to_string(),
        match_id: history.match_id.to_string(),
        vouched_by: history.keys[seat].and_then(|key| key.vouching.player()),
        opened: history.opened_leaf,
        signs: player.app.seats.signing_key(&history, player.access).await?,
        log: player.app.signer().verifier(&player.app.signer().origin()).to_string(),
        stands: progress::of(player).await?,
        now: player.app.system().now().micros() / 1000,
        obstacle: player.app.obstacle(),
        shares: share::listed(player, &history).await?.unwrap_or_default(),
        links: link_notices(player, &history),
        ready: ready::panel(player, &history).await?,
        live: history.is_live(),
        ended: history.is_ended(),
        received,
        last: LastRound::of(&shown),
        questions,
        cursor,
        form_state: &form_state,
    };
    let mut response = rendered(form_state.status, &page)?;
    if let Some(problem) = &form_state.problem {
        response.extensions_mut().insert(problem.clone());
    }
    Ok(response)
}

fn given_up(history: &History, receipts: &[SeatReceipt]) -> Vec<(DecisionId, String)> {
    let played = history.steps.last().map(|step| step.entry);
    let is_news = |decision: &DecisionId| history.questions.get(decision).map(|question| question.entry) > played;
    let given_up = receipts.iter().filter(|one| one.fate == ReceiptFate::GivenUp);
    let decisions = given_up.map(|one| &one.receipt.receipt.decision).filter(|decision| is_news(decision));
    decisions.map(|decision| (decision.clone(), history.coming_words(decision))).collect()
}

fn unopened(history: &History) -> Option<(Seq, String)> {
    let (entry, seats) = history.unopened_shares()?;
    let names: Vec<String> = seats.into_iter().map(|seat| history.name(seat).to_owned()).collect();
    Some((entry, listed(&names)))
}

/// The question in sight: one that is optional comes first, because it is soon gone, and what is a single button lies
/// beside another.
fn cursor(questions: &[Question]) -> usize {
    let waits =
        |question: &Question| question.open && question.single().is_none() && question.last_submission.is_none();
    let first = questions.iter().position(|question| question.optional && waits(question));
    let due = || questions.iter().position(|question| question.open && !question.optional);
    first.or_else(due).or_else(|| questions.iter().position(|question| question.single().is_none())).unwrap_or(0)
}

fn table(shown: &VisibleMatch<'_>, questions: &[Question], cursor: usize, seat: Seat) -> StageTable {
    let history = shown.history;
    let before = history.rows().last().and_then(|row| history.before(row.steps.first()?.number));
    let table = StageTable::of(shown, history.duel(), before, seat, true);
    let on_board = questions.iter().filter_map(|question| question.controls.as_ref()).any(Controls::is_board);
    let table = if on_board { table.without_grid() } else { table };
    let laid = questions.get(cursor).and_then(|question| question.controls.as_ref());
    let table = table.without_things(&laid.map(Controls::things).unwrap_or_default());
    let sent = questions.get(cursor).and_then(|question| question.played.clone());
    table.with_last_row(shown, questions.is_empty()).with_sent(sent)
}

fn course(history: &History) -> String {
    let names = SeatName::of(history);
    Lead::of(&history.rows(), [&names.p1, &names.p2]).map(|lead| lead.to_string()).unwrap_or_default()
}

/// What is going on, in at most three words.
fn doing(history: &History, first: Option<&Question>) -> String {
    let last = || history.rows().last().map(|row| row_words(&row.label));
    match first {
        Some(question) => question.title().to_owned(),
        None if history.outcome().is_over() => "Over".to_owned(),
        None => last().unwrap_or_else(|| "Before the start".to_owned()),
    }
}

fn state(history: &History, first: Option<&Question>) -> (&'static str, String) {
    let game = history.ruleset().card().title.to_string();
    let clock =
        first.and_then(|question| history.clocks.iter().rfind(|clock| clock.decision.as_str() == question.decision));
    match (first, clock.map(|clock| clock.state)) {
        (None, _) if history.outcome().is_over() => ("over", game),
        (None, _) => ("waits", game),
        (Some(question), _) if !question.open => ("over", "Time is up".to_owned()),
        (Some(_), Some(ClockState::Waiting)) => ("waits", "not started".to_owned()),
        (Some(_), Some(ClockState::Paused { .. })) => {
            let why = clock.and_then(pause_reason).map(|why| format!(": {why}")).unwrap_or_default();
            ("paused", format!("Paused{why}"))
        }
        (Some(question), _) if question.last_submission.is_some() => ("sent", game),
        (Some(_), _) => ("to-move", game),
    }
}

/// The clock of the question in sight, or of what is waited for.
fn clock(history: &History, first: Option<&Question>, now: Moment) -> Option<StageClock> {
    if history.outcome().is_over() {
        return Some(StageClock::word("Final"));
    }
    let clocks = history.open.iter().filter_map(|open| history.clock(&open.asked.decision));
    let own = |clock: &&record::Clock| first.is_none_or(|question| question.decision == clock.decision.as_str());
    clocks.filter(own).min_by_key(|clock| clock.deadline()).map(|clock| StageClock::of(clock, now))
}

fn title(history: &History, seat: Seat, first: Option<&Question>) -> String {
    let (name, other) = (history.name(seat), history.name(seat.other()));
    let turn = first.filter(|question| question.open && question.last_submission.is_none() && !question.optional);
    let turn = if turn.is_some() { "Your turn: " } else { "" };
    format!("{turn}{name} against {other}")
}

fn waiting(history: &History) -> String {
    if !history.is_live() {
        return "In this match the umpire types your moves. Here you see what was typed for you, and can object if it is \
                not what you sent."
            .to_owned();
    }
    let names = Seat::BOTH.into_iter().filter(|seat| history.open.iter().any(|open| app::recorder::asks(open, *seat)));
    let names: Vec<String> = names.map(|seat| history.name(seat).to_owned()).collect();
    if names.is_empty() {
        let decides = history.ruleset().declaration().is_some() && !history.steps.is_empty();
        return if decides { "The umpire says what became of it." } else { "Waiting for the umpire." }.to_owned();
    }
    format!("Waiting for {}.", listed(&names))
}

fn waits_until(history: &History, now: Moment) -> Option<(String, When)> {
    let clocks = history.open.iter().filter_map(|open| history.clock(&open.asked.decision));
    let next = clocks.filter_map(record::Clock::deadline).min()?;
    Some((next.to_string(), When::second_on(next, now)))
}

pub(super) fn receipt_address(slug: &str, seat: Seat, decision: &DecisionId, ordinal: u32) -> String {
    format!("{}/receipt/{decision}/{ordinal}", address(slug, seat))
}

async fn questions(
    player: &Player,
    history: &History,
    receipts: &[SeatReceipt],
    form_state: &FormState,
) -> Result<Vec<Question>, Problem> {
    let seat = player.chair.seat;
    let (mut questions, mut asks) = (Vec::new(), history.asks());
    asks.sort_by_key(|ask| ask.optional);
    // What comes after a step that cannot be replayed is not known.
    let asked = history.is_live() && !history.is_ended() && history.closed_at.is_none();
    for ask in asks.into_iter().filter(|_| asked) {
        let open = history
            .open
            .iter()
            .find(|open| open.puts(&ask) && app::recorder::asks(open, seat) && open.sealed.is_empty());
        if let Some(open) = open {
            questions.push(question(player, history, &ask, open, receipts, form_state).await?);
        }
    }
    Ok(questions)
}

async fn receipt_rows(
    player: &Player,
    history: &History,
    receipts: &[SeatReceipt],
) -> Result<Vec<ReceiptRow>, Problem> {
    let now = player.app.system().now();
    let secrets = player.app.receipts.own_secrets(player.chair.match_id, receipts).await?;
    let newest_first = receipts.iter().zip(&secrets).rev().map(|(seat_receipt, secrets)| {
        let receipt = &seat_receipt.receipt.receipt;
        let values: Vec<&str> = secrets.iter().map(|(_, secret)| secret.value.as_str()).collect();
        ReceiptRow {
            address: receipt_address(&player.slug, player.chair.seat, &receipt.decision, receipt.ordinal),
            name: receipt_words(history, receipt, &values),
            at: When::second_on(receipt.at, now),
            fate: fate(seat_receipt.fate),
            is_final: receipt.is_final,
            text: seat_receipt.receipt.text(),
        }
    });
    Ok(newest_first.collect())
}

pub(super) const fn fate(fate: ReceiptFate) -> &'static str {
    match fate {
        ReceiptFate::Counts => "counts now",
        ReceiptFate::Replaced => "was replaced",
        ReceiptFate::Waits => "waits for its place in the record",
        ReceiptFate::Entered(_) => "is in the record",
        ReceiptFate::GivenUp => "does not count: its question was taken back, or closed without it",
        ReceiptFate::Missing => "is missing from the record",
    }
}

pub(super) fn no_receipt() -> Problem {
    Problem::not_found("There is no receipt of yours at this address.")
}

impl Player {
    pub(super) async fn receipt(&self, decision: &str, ordinal: u32) -> Result<SeatReceipt, Problem> {
        let receipts = self.receipts().await?;
        let found = receipts.into_iter().find(|seat_receipt| {
            seat_receipt.receipt.receipt.decision.as_str() == decision
                && seat_receipt.receipt.receipt.ordinal == ordinal
        });
        found.ok_or_else(no_receipt)
    }

    pub(super) fn history(&self) -> &Arc<History> {
        &self.history
    }
}
