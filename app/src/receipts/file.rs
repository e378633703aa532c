//! Receipts as a file to keep: with what opens them, and the proof of each that is in the record.

use ledger::Seq;
use record::History;
use record::body::ReplacedOpening;
use record::receipts::{EntryProof, Header, Line, ReceiptFile};

use super::{ReceiptFate, Receipts, SeatReceipt};
use crate::account::player::SeatRef;
use crate::error::AppError;

impl Receipts {
    pub async fn receipt_file(
        &self,
        history: &History,
        seat_ref: SeatRef,
        receipts: &[SeatReceipt],
    ) -> Result<ReceiptFile, AppError> {
        let (origin, host_key) = (history.origin.clone(), history.opened.host_key.clone());
        let mut header = Header::new(origin, history.match_id, seat_ref.seat, host_key);
        let wanted = receipts.iter().filter_map(|kept| match kept.fate {
            ReceiptFate::Entered(entry) => Some(entry),
            _ => None,
        });
        let mut wanted: Vec<Seq> = wanted.chain([Seq(0)]).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let (log, mut placed) = self.public_log.placed(history.match_id, &wanted).await?;
        header.log = log;
        header.opened = placed.get(&Seq(0)).cloned();
        let mut lines = Vec::new();
        let secrets = self.own_secrets(history.match_id, receipts).await?;
        for (kept, secrets) in receipts.iter().zip(secrets) {
            let openings = secrets.into_iter().map(|(field, secret)| ReplacedOpening {
                field,
                key: secret.key.to_hex(),
                value: secret.value,
            });
            let entry: Option<EntryProof> = match kept.fate {
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
}
