//! A fold that goes on is the fold of the whole.

use record::Folding;

use crate::book::{Book, archive};

#[test]
fn a_fold_that_goes_on_comes_to_the_same() {
    for file in archive() {
        let book = Book::replays(&file);
        let whole = book.history();
        let entries = book.entries();
        let leaves: Vec<_> = book.lines.iter().map(|entry| ledger::leaf_hash(entry)).collect();
        let mut going = Folding::open(&whole.origin, &entries[0], leaves[0]).unwrap();
        for ((seq, field), secret) in &book.secrets {
            going.know(*seq, field.clone(), secret.value.clone());
        }
        for (entry, leaf) in entries.iter().zip(&leaves).skip(1) {
            going.push(entry, *leaf);
        }
        let going = going.history();
        assert_eq!((going.head, going.last_at), (whole.head, whole.last_at));
        assert_eq!(format!("{:?}", going.steps), format!("{:?}", whole.steps));
        assert_eq!(format!("{:?}", going.faults), format!("{:?}", whole.faults));
    }
}
