//! The hidden fields of every form: its own id, and the head of the match that the umpire saw.

use app::system::System;
use ledger::{Head, Seq};
use store::SubmitId;

/// A fresh id for a form: 32 hex digits.
pub fn fresh(system: &System) -> String {
    let mut id = [0; 16];
    id.iter_mut().zip(system.bytes32()).for_each(|(byte, from)| *byte = from);
    SubmitId(id).to_string()
}

pub fn write_head(head: Head) -> String {
    format!("{}:{}", head.next.0, head.leaf)
}

pub fn read_head(text: &str) -> Option<Head> {
    let (next, leaf) = text.split_once(':')?;
    Some(Head { next: Seq(next.parse().ok()?), leaf: leaf.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use ledger::Hash;

    use super::*;

    #[test]
    fn heads_and_ids_round_trip() {
        let head = Head { next: Seq(37), leaf: Hash::new([7; 32]) };
        assert_eq!(read_head(&write_head(head)), Some(head));
        for broken in ["", "37", "37:", ":x", "-1:AAAA", "37:AAAA"] {
            assert_eq!(read_head(broken), None, "{broken}");
        }
        assert!(fresh(&System::real()).parse::<SubmitId>().is_ok());
    }
}
