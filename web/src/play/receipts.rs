//! A seat's receipts as a file: with what opens them, and the proof of each that is in the record.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use ledger::Seq;
use record::body::ReplacedOpening;
use record::receipts::{Header, Line, Placed, ReceiptFile};

use super::player::Player;
use crate::book::{BookError, KeptReceipt, ReceiptFate};
use crate::page::Problem;

/// `GET .../receipts.jsonl`: all of them.
pub(super) async fn file(player: Player) -> Result<Response, Problem> {
    let receipts = player.book.receipts(player.chair).await?;
    let file = of(&player, &receipts).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"matchbook-{}-{}.receipts.jsonl\"", player.slug, player.chair.seat),
        ),
    ];
    Ok((headers, file.write()).into_response())
}

/// One of them.
pub(super) async fn one(player: &Player, kept: &KeptReceipt) -> Result<ReceiptFile, BookError> {
    of(player, std::slice::from_ref(kept)).await
}

async fn of(player: &Player, receipts: &[KeptReceipt]) -> Result<ReceiptFile, BookError> {
    let history = player.history();
    let (origin, host_key) = (history.origin.clone(), history.opened.host_key.clone());
    let mut header = Header::new(origin, history.match_id, player.chair.seat, host_key);
    let wanted = receipts.iter().filter_map(|kept| match kept.fate {
        ReceiptFate::Entered(entry) => Some(entry),
        _ => None,
    });
    let mut wanted: Vec<Seq> = wanted.chain([Seq(0)]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let (log, mut placed) = player.book.placed(history.match_id, &wanted).await?;
    header.log = log;
    header.opened = placed.get(&Seq(0)).cloned();
    let mut lines = Vec::new();
    let secrets = player.book.own_secrets(history.match_id, receipts).await?;
    for (kept, secrets) in receipts.iter().zip(secrets) {
        let openings = secrets.into_iter().map(|(field, secret)| ReplacedOpening {
            field,
            key: secret.key.to_hex(),
            value: secret.value,
        });
        let entry: Option<Placed> = match kept.fate {
            ReceiptFate::Entered(entry) => placed.remove(&entry).inspect(|one| {
                // Several receipts may stand in one entry.
                placed.insert(entry, one.clone());
            }),
            _ => None,
        };
        lines.push(Line { receipt: kept.receipt.text(), openings: openings.collect(), entry });
    }
    Ok(ReceiptFile { header, receipts: lines })
}
