//! A seat's receipts as a file: with the openings, and the proof of each recorded one.

use app::AppError;
use app::receipts::SeatReceipt;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use record::receipts::ReceiptFile;

use super::player::Player;
use web_http::Problem;

pub(super) async fn file(player: Player) -> Result<Response, Problem> {
    let receipts = player.receipts().await?;
    let file = player.app.receipts.receipt_file(player.history(), player.chair, &receipts).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"matchbook-{}-{}.receipts.jsonl\"", player.slug, player.chair.seat),
        ),
    ];
    Ok((headers, file.write()).into_response())
}

pub(super) async fn one(player: &Player, seat_receipt: &SeatReceipt) -> Result<ReceiptFile, AppError> {
    player.app.receipts.receipt_file(player.history(), player.chair, std::slice::from_ref(seat_receipt)).await
}
