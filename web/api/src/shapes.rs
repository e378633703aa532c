//! Small shapes that several operations share.

use app::public_log::WitnessCount;
use app::views::{HeadJson, ResultJson, result_json};
pub(super) use app::views::{Lines, SeatWord};
use app::{App, AppError};
use ledger::{Hash, leaf_hash};
use serde::Serialize;
use utoipa::ToSchema;

/// A decision that is closed and sealed, and waits for the log's witnesses before it opens.
#[derive(Serialize, ToSchema)]
#[schema(as = Waits)]
pub(super) struct WaitsJson {
    #[schema(example = "d7")]
    decision: String,
    /// When its last seal entered.
    since: String,
    /// When it opens without them, and the record says so.
    until: String,
    /// How many witnesses have seen what is sealed; null in the answer to an act, and on a site that asks none any more.
    witnesses: Option<WitnessCount>,
}

impl WaitsJson {
    fn of(history: &record::History) -> Option<Self> {
        let record::Waiting { decision, since, until, .. } = history.waiting()?;
        let (decision, since, until) = (decision.to_string(), since.to_string(), until.to_string());
        Some(Self { decision, since, until, witnesses: None })
    }

    pub(super) async fn counted(app: &App, history: &record::History) -> Result<Option<Self>, AppError> {
        let Some(waiting) = history.waiting() else { return Ok(None) };
        let witnesses = app.public_log.seen_by(history.match_id, &waiting).await?;
        Ok(Self::of(history).map(|waits| Self { witnesses, ..waits }))
    }

    /// The tag of a state: it changes with the head, and with each witness that has seen what waits.
    pub(super) fn tag(waits: Option<&Self>, head: Hash) -> Hash {
        match waits.and_then(|waits| waits.witnesses) {
            Some(count) => leaf_hash(&[head.bytes().as_slice(), &count.seen.to_be_bytes()].concat()),
            None => head,
        }
    }
}

/// The round of the public beacon that the next draw waits for.
#[derive(Serialize, ToSchema)]
#[schema(as = AwaitedRound)]
pub(super) struct AwaitedRoundJson {
    /// The hash of the network's chain, as drand names it.
    #[schema(example = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")]
    network: String,
    #[schema(example = 1000)]
    round: u64,
    /// When it is published.
    at: String,
}

impl AwaitedRoundJson {
    pub(super) fn of(app: &App, history: &record::History) -> Option<Self> {
        let awaited = app.rounds.awaited(history)?;
        let (network, round) = (awaited.network.hash.0.to_string(), awaited.round.number());
        Some(Self { network, round, at: awaited.at.to_string() })
    }
}

/// Where a match stands after an act.
#[derive(Serialize, ToSchema)]
#[schema(as = Stands)]
pub(super) struct MatchStatus {
    /// The match.
    #[schema(example = "3t16wed731")]
    #[serde(rename = "match")]
    pub(super) slug: String,
    /// Whether it is practice: in no log and no list, and its umpire can delete it whole.
    #[schema(example = false)]
    pub(super) practice: bool,
    /// Its head now.
    pub(super) head: HeadJson,
    /// How many steps count.
    pub(super) steps: usize,
    /// How it stands.
    pub(super) result: ResultJson,
    /// What is sealed and not open yet, in a match that waits for witnesses.
    pub(super) waits: Option<WaitsJson>,
}

impl MatchStatus {
    pub(super) fn of(history: &record::History) -> Self {
        Self {
            slug: app::slug(history.match_id),
            practice: history.origin.is_practice(),
            head: HeadJson::of(history.head),
            steps: history.steps.len(),
            result: result_json(history.outcome(), history.is_ended()),
            waits: WaitsJson::of(history),
        }
    }
}
