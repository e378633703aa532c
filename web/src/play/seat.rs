//! A seat's page: what is asked, what was sent for it, and every receipt.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use axum::response::{Redirect, Response};
use engine::{Ask, Form, Party, Seat, name_seats};
use ledger::store::SubmitId;
use ledger::{DecisionId, Moment};
use record::body::Closing;
use record::share::SHARE;
use record::{History, OpenDecision};

use super::player::Player;
use crate::book::{self, Book, BookError, KeptReceipt, ReceiptFate};
use crate::page::typed::Line;
use crate::page::vocabulary::Vocabulary;
use crate::page::{Board, Frame, Problem, Shown, clock, rendered, result_sentence};

/// What a form brought back to the page.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// Why nothing was stored.
    pub(super) problem: Option<String>,
    /// The decision that something was typed for, and what.
    pub(super) typed: Option<(String, String)>,
    /// The submission that was just received.
    pub(super) received: Option<(String, u32)>,
}

/// A question to this seat, as a form.
#[derive(Debug)]
struct Question {
    decision: String,
    prompt: String,
    /// When it closes, in a sentence.
    closes: String,
    default: String,
    optional: bool,
    line: Line,
    hint: Option<(String, String)>,
    vocabulary: Vocabulary,
    barred: Vec<String>,
    /// What was received last.
    standing: Option<Standing>,
    submit: String,
    /// For the script: what a seal of it is made of.
    asked: String,
    fields: String,
    /// Whether it can still be answered.
    open: bool,
}

/// What counts for a question as it stands.
#[derive(Debug)]
struct Standing {
    text: String,
    at: String,
    grade: &'static str,
    address: String,
}

/// A receipt in the list.
#[derive(Debug)]
struct Listed {
    address: String,
    name: String,
    at: String,
    fate: &'static str,
    text: String,
}

#[derive(Template)]
#[template(path = "play/seat.html")]
struct Page<'p> {
    frame: Frame,
    slug: &'p str,
    /// Where its rules are.
    rules: String,
    seat: &'static str,
    name: String,
    other: String,
    board: Board,
    brought: &'p Brought,
    questions: Vec<Question>,
    waits: Option<String>,
    result: Option<String>,
    receipts: Vec<Listed>,
    /// For the script.
    origin: String,
    match_id: String,
    key: String,
    log: String,
    ended: bool,
}

/// Where a seat's page is.
pub(super) fn address(slug: &str, seat: Seat) -> String {
    format!("/play/m/{slug}/{seat}")
}

/// `GET /play/m/{slug}/{seat}`.
pub(super) async fn show(player: Player, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let received = query.as_deref().and_then(|query| query.strip_prefix("received="));
    let received = received.and_then(|received| received.split_once('.'));
    let received = received.and_then(|(decision, ordinal)| Some((decision.to_owned(), ordinal.parse().ok()?)));
    render(&player, Brought { received, ..Brought::default() }).await
}

/// Whoever opens the address of a form again finds the page.
pub(super) async fn back(Path((slug, seat)): Path<(String, String)>) -> Redirect {
    Redirect::to(&format!("/play/m/{slug}/{seat}"))
}

/// The page as it stands now, with what a form brought back.
pub(super) async fn render(player: &Player, brought: Brought) -> Result<Response, Problem> {
    let seat = player.chair.seat;
    let history = player.book.history(player.chair.match_id).await?;
    let receipts = player.book.receipts(player.chair).await?;
    let mut questions = Vec::new();
    for ask in history.asks().into_iter().filter(|_| !history.is_ended()) {
        let open = history.open.iter().find(|open| open.puts(&ask) && book::asks(open, seat) && open.sealed.is_empty());
        if let Some(open) = open {
            questions.push(question(player, &history, &ask, open, &receipts, &brought).await?);
        }
    }
    let names = history.both_names();
    let waits = questions.is_empty() && !history.is_ended();
    let page = Page {
        frame: Frame::titled(format!("{}: your seat", history.name(seat))),
        slug: &player.slug,
        rules: format!("/rules/{}", history.opened.ruleset),
        seat: seat.word(),
        name: history.name(seat).to_owned(),
        other: history.name(seat.other()).to_owned(),
        board: Board::of(&Shown::seat(&history, seat), "How it stands", history.duel(), None),
        waits: waits.then(|| waiting(&history)),
        result: history.outcome().is_over().then(|| result_sentence(history.outcome(), names)),
        receipts: listed(player, &receipts),
        origin: history.origin.to_string(),
        match_id: history.match_id.to_string(),
        key: history.keys[seat].map(|key| key.key.to_string()).unwrap_or_default(),
        log: player.book.signer().verifier(&player.book.signer().origin()).to_string(),
        ended: history.is_ended(),
        questions,
        brought: &brought,
    };
    let mut response = rendered(brought.status, &page)?;
    if let Some(problem) = &brought.problem {
        let problem = Problem { status: brought.status, ..Problem::refused(problem.clone()) };
        response.extensions_mut().insert(problem);
    }
    Ok(response)
}

fn waiting(history: &History) -> String {
    if history.outcome().is_over() {
        return "Nothing is asked any more. The umpire ends the match.".to_owned();
    }
    "Nothing is asked of you just now. Open this page again when the umpire calls.".to_owned()
}

async fn question(
    player: &Player,
    history: &History,
    ask: &Ask,
    open: &OpenDecision,
    receipts: &[KeptReceipt],
    brought: &Brought,
) -> Result<Question, Problem> {
    let (seat, names, duel) = (player.chair.seat, history.both_names(), history.duel());
    let decision = open.asked.decision.to_string();
    let typed = brought.typed.as_ref().filter(|(of, _)| *of == decision).map_or("", |(_, text)| text.as_str());
    let form = history.form(seat, ask.what);
    let hint = match &form {
        Some(Form::Line { hint, example }) => Some((name_seats(hint, names), example.clone())),
        _ => None,
    };
    let barred = match &form {
        Some(Form::Words { choices, .. }) if choices.len() <= crate::page::vocabulary::LISTED => {
            let barred = choices.iter().filter_map(|choice| Some((choice.label, choice.barred.as_ref()?)));
            barred.map(|(label, why)| name_seats(&crate::page::told(&[label], &why.expected), names)).collect()
        }
        _ => Vec::new(),
    };
    let forms: Vec<(Party, Form)> = form.into_iter().map(|form| (seat.into(), form)).collect();
    let now = player.book.mint().now();
    let last = receipts.iter().rfind(|kept| kept.receipt.receipt.decision == open.asked.decision);
    let standing = match last {
        Some(kept) => Some(standing(player, history, open, kept).await?),
        None => None,
    };
    Ok(Question {
        prompt: name_seats(&ask.prompt, names),
        closes: closes(open),
        default: name_seats(ask.default, names),
        optional: ask.optional,
        line: Line::read(history, duel, seat, ask.what, typed),
        hint,
        vocabulary: Vocabulary::of(duel, ask, &forms),
        barred,
        standing,
        submit: fresh(&player.book),
        asked: open.leaf.to_string(),
        fields: open.asked.fields.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        open: open.asked.deadline.is_none_or(|deadline| now <= deadline),
        decision,
    })
}

/// What was received, read back in full words.
async fn standing(
    player: &Player,
    history: &History,
    open: &OpenDecision,
    kept: &KeptReceipt,
) -> Result<Standing, Problem> {
    let receipt = &kept.receipt.receipt;
    let secrets = player.book.own_secrets(receipt.match_id, std::slice::from_ref(kept)).await?;
    let values: Vec<&str> = secrets.iter().flatten().map(|(_, secret)| secret.value.as_str()).collect();
    let text = match values.as_slice() {
        [] => String::new(),
        [share] if open.asked.what == SHARE => (*share).to_owned(),
        values => history.duel().join(&open.asked.what, values),
    };
    let line = Line::read(history, history.duel(), player.chair.seat, &open.asked.what, &text);
    let text = if line.words.is_empty() { text } else { line.words };
    let address = receipt_address(&player.slug, player.chair.seat, &receipt.decision, receipt.ordinal);
    Ok(Standing { text, at: time_of_day(receipt.at), grade: grade(kept), address })
}

/// Who stands behind a submission.
pub(super) const fn grade(kept: &KeptReceipt) -> &'static str {
    match (kept.typed, kept.signed) {
        (true, _) => "typed for you by the umpire",
        (false, true) => "signed by your browser",
        (false, false) => "sealed by the server, unsigned",
    }
}

fn closes(open: &OpenDecision) -> String {
    let until = |deadline: Moment| format!("You can send and replace it until {}.", time_of_day(deadline));
    match (open.asked.closes, open.asked.deadline) {
        (Closing::FirstValid, Some(deadline)) => {
            format!(
                "The first valid answer counts at once, and cannot be replaced. It is due by {}.",
                time_of_day(deadline)
            )
        }
        (Closing::FirstValid, None) => "The first valid answer counts at once, and cannot be replaced.".to_owned(),
        (_, Some(deadline)) => until(deadline),
        (_, None) => match clock(open.asked.clock) {
            clock if clock.is_empty() => "You can send and replace it until the umpire closes it.".to_owned(),
            clock => format!("You can send and replace it until the umpire closes it. Its clock is {clock}."),
        },
    }
}

/// Such as "20:41:48 UTC".
pub(super) fn time_of_day(at: Moment) -> String {
    at.to_utc().format("%H:%M:%S UTC").to_string()
}

fn fresh(book: &Book) -> String {
    let mut id = [0; 16];
    id.iter_mut().zip(book.mint().bytes32()).for_each(|(byte, from)| *byte = from);
    SubmitId(id).to_string()
}

/// Where a receipt's page is.
pub(super) fn receipt_address(slug: &str, seat: Seat, decision: &DecisionId, ordinal: u32) -> String {
    format!("{}/receipt/{decision}/{ordinal}", address(slug, seat))
}

fn listed(player: &Player, receipts: &[KeptReceipt]) -> Vec<Listed> {
    let newest_first = receipts.iter().rev().map(|kept| {
        let receipt = &kept.receipt.receipt;
        Listed {
            address: receipt_address(&player.slug, player.chair.seat, &receipt.decision, receipt.ordinal),
            name: name(&receipt.decision, receipt.ordinal),
            at: time_of_day(receipt.at),
            fate: fate(kept.fate),
            text: kept.receipt.text(),
        }
    });
    newest_first.collect()
}

/// A submission's name, such as "Decision 3" or, for what replaced it, "Decision 3, submission 2".
pub(super) fn name(decision: &DecisionId, ordinal: u32) -> String {
    let number = decision.as_str().trim_start_matches('d');
    match ordinal {
        0 => format!("Decision {number}"),
        replaced => format!("Decision {number}, submission {}", replaced.saturating_add(1)),
    }
}

/// What became of it, in a few words.
pub(super) const fn fate(fate: ReceiptFate) -> &'static str {
    match fate {
        ReceiptFate::Counts => "counts as it stands",
        ReceiptFate::Replaced => "was replaced",
        ReceiptFate::Waits => "waits for its place in the record",
        ReceiptFate::Entered(_) => "is in the record",
        ReceiptFate::Missing => "is missing from the record",
    }
}

/// The refusal of a page that cannot be told.
pub(super) fn no_receipt() -> Problem {
    Problem::not_found("There is no receipt of yours at this address.")
}

impl Player {
    /// A receipt of this seat.
    pub(super) async fn receipt(&self, decision: &str, ordinal: u32) -> Result<KeptReceipt, Problem> {
        let receipts = self.book.receipts(self.chair).await.map_err(|error: BookError| Problem::from(error))?;
        let found = receipts
            .into_iter()
            .find(|kept| kept.receipt.receipt.decision.as_str() == decision && kept.receipt.receipt.ordinal == ordinal);
        found.ok_or_else(no_receipt)
    }

    /// The match's book.
    pub(super) fn history(&self) -> &Arc<History> {
        &self.history
    }
}
