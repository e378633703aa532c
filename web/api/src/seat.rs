//! A seat, for the program that plays it: the open questions, the submissions, and the receipts.
//!
//! All of this is only for the seat, and it shows nothing that the other seat does, not even that it has sent
//! something.

use app::receipts::{ReceiptFate, SeatReceipt};
use app::slug;
use app::submissions::{Answer, PlayerSubmission};
use app::views::integer::integer;
use app::views::{HeadJson, LineReading};
use axum::http::StatusCode;
use axum::response::Response;
use engine::Seat;
use ledger::{Commitment, DecisionId, Field, Hash, PlayerSignature, SealKey, SignedReceipt, SubmissionSignature};
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::{History, Secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Player;
use super::forms::AnswerForm;
use super::idempotency::{ArrivedAt, Key};
use super::moves::{decision, submission_refused};
use super::parameters::SubmissionKey;
use super::reading::Decision;
use super::request::{Body, form, malformed};
use super::shapes::{SeatWord, WaitsJson};
use super::shares::ShareToOpen;
use web_http::{Problem, Waited};

/// A seat, and what is asked of it.
#[derive(Serialize, ToSchema)]
struct SeatState {
    #[serde(rename = "match")]
    #[schema(example = "3t16wed731")]
    slug: String,
    /// Whether it is practice: in no log and no list, and its umpire can delete it whole.
    #[schema(example = false)]
    practice: bool,
    seat: SeatWord,
    /// The player's name.
    name: String,
    /// The other player's.
    opponent: String,
    head: HeadJson,
    /// The server's clock: hold deadlines against it rather than against your own.
    now: String,
    /// When this seat said that it is ready, if it did. Only the umpire is told.
    ready_at: Option<String>,
    /// Whether the umpire may read what the seats send before it closes.
    umpire_looks: bool,
    /// What is sealed and not open yet, in a match that waits for witnesses.
    waits: Option<WaitsJson>,
    /// What is asked of this seat now.
    asks: Vec<SeatAsk>,
    /// The list of shares whose opening is awaited from this seat, if it kept its share.
    opens: Option<ShareToOpen>,
}

/// A question to a seat.
#[derive(Serialize, ToSchema)]
struct SeatAsk {
    #[serde(flatten)]
    decision: Decision,
    /// The place of the question in the log. A program that signs names a tree of more entries. Null in practice.
    #[schema(example = 41)]
    index: Option<u64>,
    /// How the answer can be put together.
    form: Option<AnswerForm>,
    /// The receipt of what was sent last, if anything; it counts as it stands.
    sent: Option<Receipt>,
}

/// A receipt, signed by the host. Keep its text: with it anybody can prove what was sent, and when.
#[derive(Serialize, ToSchema)]
pub(super) struct Receipt {
    #[schema(example = "d7")]
    decision: String,
    /// Its number among the seat's for this decision, from 0.
    ordinal: u32,
    /// When it came.
    at: String,
    /// `counts`, `replaced`, `waits`, `entered`, `given-up` or `missing`.
    fate: &'static str,
    /// The entry that holds it, once there is one.
    entry: Option<u32>,
    /// The receipt itself: a signed note.
    text: String,
    /// True if it was called final; left out where it was not.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = true)]
    is_final: Option<bool>,
    /// What was sent, in full words; only in the answer to a submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Score, grow")]
    words: Option<String>,
    /// What one should know before standing by it, such as what will be left out; only in the answer to a submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    notes: Option<Vec<String>>,
}

/// The receipts of a seat.
#[derive(Serialize, ToSchema)]
struct Receipts {
    receipts: Vec<Receipt>,
}

/// A submission: a line, which the server seals; or what a program has sealed by itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Submission, example = json!({ "decision": "d1", "text": "score grow" }))]
pub(super) struct Submission {
    /// The decision that is answered.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    /// The line, as the notation has it.
    #[schema(nullable = false, min_length = 1, max_length = 600, example = "score grow")]
    text: Option<String>,
    /// Sealed and perhaps signed, in the place of `text`.
    #[schema(nullable = false)]
    sealed: Option<Sealed>,
    /// Call it final, where the decision `closes` with `all-in`: it closes at once when the last submission of both seats is
    /// final. If it stays open, the other seat has not called its own final. Sent again without this, it is not final any
    /// more. A signature covers it.
    #[serde(default, rename = "final")]
    #[schema(example = false)]
    is_final: bool,
}

/// A submission that a program has sealed by itself: `docs/record-format.md`, "Seals".
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sealed {
    /// One for every field, in order: 64 hex digits each.
    #[schema(value_type = Vec<Digits>, max_items = 8)]
    commitments: Vec<Commitment>,
    /// What opens them, in the same order; none of a share that the program keeps until `opens` of the seat asks for it.
    #[schema(max_items = 8)]
    openings: Vec<Opening>,
    /// The signature, where the seat has a key; the size and the root of the tree that the program saw last go with it.
    #[schema(nullable = false)]
    signed: Option<SignedBy>,
}

/// 64 hex digits.
#[derive(ToSchema)]
#[schema(pattern = "^[0-9a-f]{64}$")]
#[expect(dead_code, reason = "the shape of a commitment, for the document")]
struct Digits(String);

/// What opens a commitment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Opening {
    #[schema(value_type = String, pattern = "^[a-z0-9._-]{1,64}$", example = "move")]
    field: Field,
    /// 64 hex digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    key: String,
    #[schema(max_length = 600)]
    value: String,
}

/// A seat's signature.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignedBy {
    /// 64 bytes in base64.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$")]
    pub(super) signature: PlayerSignature,
    #[serde(deserialize_with = "integer")]
    pub(super) size: u32,
    /// 64 hex digits.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(super) root: Hash,
}

impl Sealed {
    fn read(self) -> Option<(Answer, Option<SubmissionSignature>)> {
        let opening = |opening: Opening| {
            let key = SealKey::from_hex(&opening.key).ok()?;
            Some((opening.field, Secret { key, value: opening.value }))
        };
        let openings = self.openings.into_iter().map(opening).collect::<Option<_>>()?;
        let signed = self.signed.map(SubmissionSignature::from);
        Some((Answer::Sealed { commitments: self.commitments, openings }, signed))
    }
}

impl Receipt {
    fn of(seat_receipt: &SeatReceipt) -> Self {
        let (fate, entry) = match seat_receipt.fate {
            ReceiptFate::Counts => ("counts", None),
            ReceiptFate::Replaced => ("replaced", None),
            ReceiptFate::Waits => ("waits", None),
            ReceiptFate::Entered(entry) => ("entered", Some(entry.0)),
            ReceiptFate::GivenUp => ("given-up", None),
            ReceiptFate::Missing => ("missing", None),
        };
        Self { entry, ..Self::signed(&seat_receipt.receipt, fate) }
    }

    pub(super) fn signed(signed: &SignedReceipt, fate: &'static str) -> Self {
        let receipt = &signed.receipt;
        Self {
            decision: receipt.decision.to_string(),
            ordinal: receipt.ordinal,
            at: receipt.at.to_string(),
            fate,
            entry: None,
            text: signed.text(),
            is_final: receipt.is_final.then_some(true),
            words: None,
            notes: None,
        }
    }
}

/// Whose seat this is, and what is asked of it
#[utoipa::path(get, path = "/api/v1/seat", tag = "player", operation_id = "readSeat",
    responses((status = 200, description = "The seat of the token.", body = SeatState)))]
pub(super) async fn show(Player { app, chair, access }: Player) -> Result<Response, Problem> {
    let history = app.matches.history(chair.match_id).await?;
    let receipts = access.shown(app.receipts.receipts(chair).await?);
    let open = history.open.iter().filter(|open| app::recorder::asks(open, chair.seat) && !history.is_ended());
    let open = open.filter(|open| open.sealed.is_empty());
    let mut asks = Vec::new();
    for open in open {
        let last = receipts.iter().rfind(|seat_receipt| seat_receipt.receipt.receipt.decision == open.asked.decision);
        asks.push(SeatAsk {
            decision: Decision::of(&history, open),
            index: app.public_log.place(chair.match_id, open.entry).await?.map(|place| place.0),
            form: AnswerForm::of(&history, chair.seat, &open.asked.what),
            sent: last.map(Receipt::of),
        });
    }
    let state = SeatState {
        slug: slug(chair.match_id),
        practice: history.origin.is_practice(),
        seat: chair.seat.into(),
        name: history.name(chair.seat).to_owned(),
        opponent: history.name(chair.seat.other()).to_owned(),
        head: HeadJson::of(history.head),
        now: app.system().now().to_string(),
        ready_at: app.seats.ready_times(chair.match_id).await?[chair.seat].map(|at| at.to_string()),
        umpire_looks: history.umpire_looks() == Some(true),
        waits: WaitsJson::counted(&app, &history).await?,
        asks,
        opens: if app.submissions.awaits_opening(&history, chair).await? { ShareToOpen::of(&history) } else { None },
    };
    json(StatusCode::OK, &state)
}

/// Submit, or replace what was submitted
///
/// It counts when this answers. Sent again with the same key, it is answered the same, also after the close. With another
/// key it replaces what the seat sent before for the decision, as long as that is open.
#[utoipa::path(post, path = "/api/v1/seat/submissions", tag = "player", operation_id = "submit", request_body = Submission,
    params(SubmissionKey),
    responses((status = 201, description = "The move is received: its receipt.", body = Receipt)))]
pub(super) async fn submit(
    Player { app, chair, access }: Player,
    key: Key,
    ArrivedAt(came): ArrivedAt,
    Body(sent): Body<Submission>,
) -> Result<Response, Problem> {
    let decision: DecisionId = decision(&sent.decision)?;
    let (answer, signed) = match (sent.text, sent.sealed) {
        (Some(text), None) => {
            if let Some(long) = too_long(&text, MOVE_MAX_CHARS) {
                return Err(Problem::refused(long));
            }
            (Answer::Text(text), None)
        }
        (None, Some(sealed)) => sealed.read().ok_or_else(|| malformed("A key of `sealed` is not 64 hex digits."))?,
        _ => return Err(Problem::refused("Send either `text` or `sealed`.")),
    };
    let history = app::with_retries(|| app.matches.history(chair.match_id)).await?;
    let read = read_back(&history, chair.seat, &decision, &answer);
    let is_final = sent.is_final;
    let sent = PlayerSubmission { access, decision, submit: form(&key), came, answer, signed, is_final };
    let signed =
        app.submissions.submit(&history, sent).await.map_err(|refusal| submission_refused(&history, refusal))?;
    let (words, notes) = read.map(|read| (read.words, read.notes)).unzip();
    json(StatusCode::CREATED, &Receipt { words, notes, ..Receipt::signed(&signed, "counts") }).map(Waited::mark)
}

fn read_back(history: &History, seat: Seat, decision: &DecisionId, answer: &Answer) -> Option<LineReading> {
    let open = history.open.iter().find(|open| open.asked.decision == *decision)?;
    let text = match answer {
        Answer::Text(text) => text.clone(),
        // What a program keeps to itself cannot be read back.
        Answer::Sealed { openings, .. } if openings.is_empty() => return None,
        Answer::Sealed { openings, .. } => {
            let values: Vec<&str> = openings.iter().map(|(_, secret)| secret.value.as_str()).collect();
            history.duel().join(&open.asked.what, &values)
        }
    };
    Some(LineReading::read(history, history.duel(), seat, &open.asked.what, &text))
}

/// Every receipt of the seat, with what became of it
#[utoipa::path(get, path = "/api/v1/seat/receipts", tag = "player", operation_id = "listReceipts",
    responses((status = 200, description = "Decision by decision.", body = Receipts)))]
pub(super) async fn receipts(Player { app, chair, access }: Player) -> Result<Response, Problem> {
    let receipts = access.shown(app.receipts.receipts(chair).await?).iter().map(Receipt::of).collect();
    json(StatusCode::OK, &Receipts { receipts })
}
