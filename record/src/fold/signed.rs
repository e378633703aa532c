//! Keys of seats, and what is signed with them.

use ledger::{By, Entry, Hash, SubmitMessage, TreeSize};

use super::Fold;
use crate::body::{Key, Sealed, Seated};
use crate::history::{SealGrade, SeatKey};

impl Fold<'_> {
    pub(super) fn key(&mut self, entry: &Entry, body: &Key) {
        let Seated(seat) = body.seat;
        if entry.by != by(body.seat) {
            self.fault(3, entry.seq, "a key is registered by its own seat", &seat, &entry.by);
        }
        if let Some(first) = self.history.keys[seat] {
            // Whoever could exchange it could sign for the seat.
            let what = format!("{seat} has a key already");
            return self.fault(3, entry.seq, &what, &format!("the key of entry {}", first.entry), &"a second key");
        }
        self.history.keys[seat] = Some(SeatKey { entry: entry.seq, at: entry.at, key: body.key });
    }

    /// Who stands behind a seal: held against the key that the seat had when it came.
    pub(super) fn grade(&mut self, entry: &Entry, sealed: &Sealed, asked: Hash) -> SealGrade {
        let Seated(seat) = sealed.seat;
        let sent = match &entry.by {
            By::P1 | By::P2 if entry.by == by(sealed.seat) => SealGrade::Escrow,
            By::P1 | By::P2 | By::Host => {
                self.fault(3, entry.seq, "a seal is by its own seat, or by the umpire who typed it", &seat, &entry.by);
                SealGrade::Umpire
            }
            By::Server | By::Umpire(_) => SealGrade::Umpire,
        };
        let key = self.history.keys[seat];
        let Some(signature) = sealed.signature else {
            if let Some(key) = key.filter(|key| sent == SealGrade::Escrow && sealed.came >= key.at) {
                let what = format!("{seat} has a key, and only what it signs counts");
                self.fault(3, entry.seq, &what, &format!("a signature by the key of entry {}", key.entry), &"none");
            }
            return sent;
        };
        let Some(key) = key else {
            self.fault(3, entry.seq, "a signature is by the seat's key", &"a key of the seat", &"none");
            return sent;
        };
        let message = SubmitMessage {
            origin: &self.history.origin,
            match_id: self.history.match_id,
            decision: &sealed.decision,
            seat: sealed.seat.sealer(),
            commitments: &sealed.commitments,
            submit: signature.submit,
            asked,
            seen: (TreeSize(signature.tree.size), signature.tree.root),
        };
        match message.check(&key.key, &signature.signature) {
            Ok(()) if sent == SealGrade::Escrow => SealGrade::Signed,
            Ok(()) => sent,
            Err(why) => {
                let expected = format!("a signature by the key of entry {}", key.entry);
                self.fault(3, entry.seq, &why.to_string(), &expected, &signature.signature);
                sent
            }
        }
    }
}

/// The seat, as the one whom an entry is by.
const fn by(seat: Seated) -> By {
    match seat.0 {
        engine::Seat::P1 => By::P1,
        engine::Seat::P2 => By::P2,
    }
}
