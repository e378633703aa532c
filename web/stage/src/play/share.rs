//! A seat's share of coming draws, which its browser keeps until the list of all shares is under a checkpoint.

use app::submissions::{SentOpening, SubmissionRefusal};
use axum::response::{IntoResponse, Response};
use ledger::{DecisionId, Hash, PlayerSignature, SealKey, Seq, SubmissionSignature, TreeSize};
use record::share::SHARE;
use record::words::sentence;
use record::{History, OpenDecision, Secret, SeedRecord};
use serde::Deserialize;
use serde_json::{Value, json};
use store::SubmitId;

use super::player::Player;
use super::submit::TimedForm;
use web_http::{ErrorKind, Problem};

/// True if this question asks for a share that the browser keeps. Practice has no signed log that a browser could check.
pub(super) fn is_kept(history: &History, open: &OpenDecision) -> bool {
    open.asked.what == SHARE && !history.origin.is_practice()
}

/// What the page's script needs to open the seat's share and to check the list of openings, as JSON: the lists as they
/// are stored, with their proofs. Nothing if no share of the seat is listed.
pub(super) async fn listed(player: &Player, history: &History) -> Result<Option<String>, Problem> {
    let seat = player.chair.seat;
    let is_listed = |seed: &&SeedRecord| seed.list.as_ref().is_some_and(|list| list.sealed[seat].is_some());
    let apart = !history.origin.is_practice() && history.is_live();
    let Some(seed) = history.seeds.last().filter(is_listed).filter(|_| apart) else { return Ok(None) };
    let Some((list, decision)) = seed.list.as_ref().zip(seed.asked.as_ref()) else { return Ok(None) };
    let opened = seed.opened.as_ref().map(|opened| opened.entry);
    let wanted: Vec<Seq> = [list.entry].into_iter().chain(opened).collect();
    let (_, placed) = player.app.public_log.placed(history.match_id, &wanted).await?;
    let entry = |seq: Seq| -> Value {
        let placed = placed.get(&seq);
        json!({ "entry": placed.map(|placed| &placed.entry), "proof": placed.and_then(|placed| placed.proof.as_ref()) })
    };
    let shown = json!({
        "decision": decision,
        "list": entry(list.entry),
        "awaited": player.app.submissions.awaits_opening(history, player.chair).await?,
        "openings": opened.map(entry),
    });
    Ok(Some(shown.to_string()))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opened {
    key: String,
    value: String,
    signature: Option<PlayerSignature>,
    size: Option<u64>,
    root: Option<Hash>,
}

impl Opened {
    fn read(text: &str) -> Option<(Secret, Option<SubmissionSignature>)> {
        let opened: Self = serde_json::from_str(text).ok()?;
        let secret = Secret { key: SealKey::from_hex(&opened.key).ok()?, value: opened.value };
        let signed = match (opened.signature, opened.size, opened.root) {
            (None, None, None) => None,
            (Some(signature), Some(size), Some(root)) => {
                Some(SubmissionSignature { signature, seen: (TreeSize(size), root) })
            }
            _ => return None,
        };
        Some((secret, signed))
    }
}

/// `POST .../open`: the opening of a listed share, from the page's script. The time of arrival counts.
pub(super) async fn open(form: TimedForm) -> Result<Response, Problem> {
    let TimedForm { player, came, fields, _underway } = form;
    let ids = fields.get("decision").parse::<DecisionId>().ok().zip(fields.get("submit").parse::<SubmitId>().ok());
    let why = "What this page's script opened does not read, so nothing was stored. Open the page again.";
    let read = ids.zip(Opened::read(fields.get("opened")));
    let ((decision, submit), (secret, signed)) = read.ok_or_else(|| Problem::refused(why))?;
    let access = player.access;
    let sent = SentOpening { access, decision, submit, came, secret, signed };
    match player.app.submissions.open_share(player.history(), sent).await {
        Ok(receipt) => Ok(receipt.text().into_response()),
        Err(SubmissionRefusal::App(error)) if !error.is_unanswered() => Err(error.into()),
        Err(SubmissionRefusal::App(error)) => {
            let detail = "The database cannot be reached just now, and this may be stored or not. Send the same again in a \
                          moment: sent twice, it counts once.";
            Err(Problem::of(ErrorKind::Unavailable, detail).caused_by(&error))
        }
        Err(refusal) => {
            let why = engine::name_seats(&refusal.to_string(), player.history().both_names());
            Err(Problem::from(refusal).saying(sentence(&why)))
        }
    }
}
