//! A fold entry by entry equals the fold of the whole, except for the texts, which it leaves out.

use record::{IncrementalFold, Texts, fold};

use crate::book::{Book, archive};

#[test]
fn a_fold_that_goes_on_comes_to_the_same() {
    // Every eighth match, with every game among them: comparing all of them word by word takes half a minute.
    for file in archive().into_iter().step_by(8) {
        let book = Book::replays(&file);
        let entries = book.entries();
        let leaves: Vec<_> = book.lines.iter().map(|entry| ledger::leaf_hash(entry)).collect();
        let whole = fold(&book.origin, &entries, &leaves, &Texts::new(), &book.secrets).unwrap();
        let mut going = IncrementalFold::open(&whole.origin, &entries[0], leaves[0]).unwrap();
        for ((seq, field), secret) in &book.secrets {
            going.know(*seq, field.clone(), secret.value.clone());
        }
        for (entry, leaf) in entries.iter().zip(&leaves).skip(1) {
            going.push(entry, *leaf);
        }
        let going = going.history();
        assert_eq!((going.head, going.last_at), (whole.head, whole.last_at));
        assert_eq!(going.faults, whole.faults, "{}", file.name);
        assert_eq!(going.steps.len(), whole.steps.len(), "{}", file.name);
        for (going, whole) in going.steps.iter().zip(&whole.steps) {
            assert_eq!(format!("{going:?}"), format!("{whole:?}"), "{}", file.name);
        }
    }
}
