//! One receipt: before its decision closes, the host's signature; afterwards, the proof.

use app::Scope;
use app::receipts::ReceiptFate;
use app::views::receipt_words;
use askama::Template;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::player::Player;
use super::question::grade;
use super::{receipts, seat_page};
use page::{Frame, When, page};
use web_http::Problem;

#[derive(Deserialize)]
pub(super) struct ReceiptPath {
    decision: String,
    ordinal: u32,
}

#[derive(Template)]
#[template(path = "play/receipt.html")]
struct Page {
    frame: Frame,
    home: String,
    address: String,
    name: String,
    at: When,
    grade: &'static str,
    is_final: bool,
    missing: bool,
    entry: Option<u32>,
    entry_address: String,
    fate_sentence: &'static str,
    text: String,
    secrets: Vec<(String, String, String)>,
    proven: bool,
    practice: bool,
    log_state: Option<String>,
}

const fn fate_sentence(fate: ReceiptFate) -> &'static str {
    match fate {
        ReceiptFate::Counts => {
            "This move counts. Your opponent and the public see nothing of it before the round closes, not even that you \
             sent it."
        }
        ReceiptFate::Replaced => "You replaced it, so it does not count. The record shows it when the match ends.",
        ReceiptFate::Waits => "Its round is just closing. The record shows it when the match ends, at the latest.",
        ReceiptFate::Entered(_) => {
            "It is in the record. With the file below, anybody can check that later, without this server."
        }
        ReceiptFate::GivenUp => {
            "It does not count: its question was taken back, or closed without it. The record shows it when the match ends."
        }
        ReceiptFate::Missing => {
            "The server signed that it received this, but the record does not have it. This receipt is evidence against \
             the server. Keep the file, and show it to the umpire."
        }
    }
}

pub(super) async fn show(player: Player, Path(path): Path<ReceiptPath>) -> Result<Response, Problem> {
    let seat_receipt = player.receipt(&path.decision, path.ordinal).await?;
    let receipt = &seat_receipt.receipt.receipt;
    let secrets = player.app.receipts.own_secrets(receipt.match_id, std::slice::from_ref(&seat_receipt)).await?;
    let secrets: Vec<(String, String, String)> = secrets
        .into_iter()
        .flatten()
        .map(|(field, secret)| (field.to_string(), secret.value, secret.key.to_hex()))
        .collect();
    let entry = match seat_receipt.fate {
        ReceiptFate::Entered(entry) => Some(entry.0),
        _ => None,
    };
    let proven = receipts::one(&player, &seat_receipt).await?.is_proven();
    let log_state = match player.app.signer().latest() {
        Some(latest) => player.app.public_log.policy_status(&latest).await?.map(|log_state| log_state.to_string()),
        None => None,
    };
    let values: Vec<&str> = secrets.iter().map(|(_, value, _)| value.as_str()).collect();
    let name = receipt_words(player.history(), receipt, &values);
    let page_of = Page {
        frame: Frame::titled(format!("Receipt: {name}")).about(player.chair.match_id),
        home: seat_page::address(&player.slug, player.chair.seat),
        address: seat_page::receipt_address(&player.slug, player.chair.seat, &receipt.decision, receipt.ordinal),
        name,
        at: When::second_on(receipt.at, player.app.system().now()),
        grade: grade(&player, player.history(), &seat_receipt).await?,
        is_final: receipt.is_final,
        missing: seat_receipt.fate == ReceiptFate::Missing,
        entry,
        entry_address: format!("/m/{}/verify", player.slug),
        fate_sentence: fate_sentence(seat_receipt.fate),
        text: seat_receipt.receipt.text(),
        secrets,
        proven,
        practice: Scope::of(player.chair.match_id) == Scope::Practice,
        log_state,
    };
    page(&page_of)
}

pub(super) async fn file(player: Player, Path(path): Path<ReceiptPath>) -> Result<Response, Problem> {
    let seat_receipt = player.receipt(&path.decision, path.ordinal).await?;
    let name = format!("matchbook-{}-{}-{}.receipt", player.slug, path.decision, path.ordinal);
    let file = receipts::one(&player, &seat_receipt).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, file.write()).into_response())
}
