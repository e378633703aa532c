//! Entries changed with care: the chain over them is remade, and the seals, too, if that helps. Only the holder of the
//! server and all its keys can do that. The chain does not show such changes; other findings do.

use engine::{Seat, Verdict};
use ledger::{Entry, Hash, Kind};
use record::body::{Body, Opening, SeatWord};
use record::state_digest;
use record::verify::{Status, verify};

use crate::acts::NO_ITEMS;
use crate::book::Book;
use crate::forger::{Seals, among_others, bodies, caught, failing, forged};

/// Three rounds of DM Colosseum 2, ended by a ruling.
fn colosseum() -> Book {
    let mut book = Book::opened("five-card-trick/dm-colosseum-2", None, NO_ITEMS);
    book.plays("score grow / score steal");
    book.plays("score steal / claim block:claim");
    book.plays("score claim / -");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

/// Two rounds of the Genius Puzzler with hidden targets, ended and unsealed.
pub(crate) fn puzzler() -> Book {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score block:claim / grow block:steal");
    book.plays("claim steal / claim");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

#[test]
fn the_forger_changes_nothing_and_all_is_well() {
    for book in [colosseum(), puzzler()] {
        for seals in [Seals::Kept, Seals::Remade] {
            let bundle = forged(&book, seals, |_| ());
            assert_eq!(bundle, book.bundle());
            assert_eq!(failing(&verify(&bundle)), [0; 0]);
        }
    }
}

#[test]
fn a_change_of_a_question_breaks_every_seal_after_it() {
    let bundle = forged(&colosseum(), Seals::Kept, |entries| bodies!(entries, Asked).next().unwrap().clock = 600);
    let report = verify(&bundle);
    assert_eq!(failing(&report), [3, 4], "and its clock is not that of the rules");
    let wrong = report.findings[2].details.iter().filter(|detail| detail.wrong).count();
    assert_eq!(wrong, 5, "all five seals of the match: {report:#?}");
}

#[test]
fn an_opening_altered_is_caught_by_finding_3() {
    let last = |entries: &mut Vec<(Entry, Body)>, change: &dyn Fn(&mut Opening)| {
        change(&mut bodies!(entries, Resolved).last().unwrap().openings[0]);
    };
    caught(
        &forged(&colosseum(), Seals::Kept, |entries| last(entries, &|opening| opening.key.replace_range(..2, "ff"))),
        3,
        "does not open its seal",
    );
    caught(
        &forged(&colosseum(), Seals::Kept, |entries| last(entries, &|opening| opening.key = "no key".to_owned())),
        3,
        "an opening has a key of 64 hex digits",
    );
    caught(
        &forged(&colosseum(), Seals::Kept, |entries| last(entries, &|opening| opening.entry += 40)),
        3,
        "it opens a seal that is not there",
    );
    // The value is altered with the step, but does not fit the seal.
    let bundle = forged(&colosseum(), Seals::Kept, |entries| {
        let resolved = bodies!(entries, Resolved).last().unwrap();
        resolved.openings[0].value = "grow claim".to_owned();
        resolved.dmn = "3. grow claim / -".to_owned();
    });
    among_others(&bundle, 3, "does not open its seal");
}

#[test]
fn an_opening_left_out_is_caught_by_finding_3() {
    // The step differs, and no opening gives the sealed value. This must not pass for "not yet".
    let bundle = forged(&colosseum(), Seals::Kept, |entries| {
        let resolved = bodies!(entries, Resolved).last().unwrap();
        resolved.openings.clear();
        resolved.dmn = "3. grow claim / -".to_owned();
    });
    among_others(&bundle, 3, "it opens the move of p1, which the step shows");
    // Nothing is unsealed at the end.
    caught(
        &forged(&puzzler(), Seals::Kept, |entries| entries.retain(|(_, body)| !matches!(body, Body::Unsealed(_)))),
        3,
        "at the end every seal that counts is opened",
    );
    let one =
        forged(&puzzler(), Seals::Kept, |entries| drop(bodies!(entries, Unsealed).next().unwrap().openings.pop()));
    caught(&one, 3, "at the end every seal that counts is opened");
}

#[test]
fn a_seal_replaced_after_the_fact_is_caught_by_finding_3() {
    let book = colosseum();
    let replaced = |entries: &mut Vec<(Entry, Body)>| {
        let sealed = bodies!(entries, Sealed).last().unwrap();
        sealed.commitments[0] = ledger::Commitment::new([9; 32]);
    };
    caught(&forged(&book, Seals::Kept, replaced), 3, "does not open its seal");
    let copied = |entries: &mut Vec<(Entry, Body)>| {
        let first = bodies!(entries, Sealed).next().unwrap().commitments[0];
        bodies!(entries, Sealed).last().unwrap().commitments[0] = first;
    };
    caught(&forged(&book, Seals::Kept, copied), 3, "the same seal is in the match twice");
    let short = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Sealed).last().unwrap().commitments.clear();
    caught(&forged(&book, Seals::Kept, short), 3, "a seal for every field");
    let traded = |entries: &mut Vec<(Entry, Body)>| {
        let [first, second] = [Seat::P2, Seat::P1].map(SeatWord);
        let mut sealed = bodies!(entries, Sealed);
        sealed.next().unwrap().seat = first;
        sealed.next().unwrap().seat = second;
    };
    caught(&forged(&book, Seals::Kept, traded), 3, "is a seal of this decision");
}

#[test]
fn a_seal_that_is_passed_over_is_caught_by_finding_3() {
    let bundle = forged(&colosseum(), Seals::Remade, |entries| {
        let resolved = bodies!(entries, Resolved).next().unwrap();
        resolved.counted.p2 = None;
        resolved.dmn = "1. score grow / -".to_owned();
        resolved.openings.truncate(1);
    });
    among_others(&bundle, 3, "p2 sealed, and its default is said to have applied");

    let twice = forged(&colosseum(), Seals::Kept, |entries| {
        let at = entries.iter().rposition(|(entry, _)| entry.kind == Kind::Sealed).unwrap();
        let mut again = entries[at].clone();
        let Body::Sealed(sealed) = &mut again.1 else { unreachable!() };
        sealed.commitments[0] = ledger::Commitment::new([9; 32]);
        entries.insert(at + 1, again);
    });
    // The texts of later entries do not fit their new places either.
    among_others(&twice, 3, "a seat's counting seals enter once");
}

#[test]
fn a_tree_that_cannot_cover_the_seals_is_caught() {
    let small = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Resolved).for_each(|body| body.tree.size = 2);
    among_others(&forged(&colosseum(), Seals::Remade, small), 3, "the tree that it names covers the seal");
    let shrinks = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Resolved).next().unwrap().tree.size = 1_000_000;
    caught(&forged(&colosseum(), Seals::Remade, shrinks), 2, "the log became smaller");
}

#[test]
fn a_date_that_cannot_be_is_caught_by_finding_4() {
    let late = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Sealed).last().unwrap().came = "2027-01-01T00:00:00.000000Z".parse().unwrap();
    };
    caught(&forged(&colosseum(), Seals::Remade, late), 4, "it came before it entered the record");
    let overdue = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Asked).next().unwrap().deadline = Some("2026-01-01T00:00:00.000000Z".parse().unwrap());
    };
    caught(&forged(&colosseum(), Seals::Remade, overdue), 4, "it came after the deadline");
}

#[test]
fn a_state_or_a_step_altered_is_caught_by_finding_6() {
    let book = colosseum();
    let digest = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Resolved).nth(1).unwrap().digest = Hash::ZERO;
    caught(&forged(&book, Seals::Remade, digest), 6, "the state's digest differs from the replay");
    let dmn = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Resolved).nth(1).unwrap().dmn = "2. score steal / claim block:steal".to_owned();
    };
    caught(&forged(&book, Seals::Remade, dmn), 6, "the step is not what the openings give");
    // Seal, opening and line agree on another move; the state does not.
    let whole = |entries: &mut Vec<(Entry, Body)>| {
        let resolved = bodies!(entries, Resolved).nth(1).unwrap();
        resolved.openings[0].value = "grow steal".to_owned();
        resolved.dmn = "2. grow steal / claim block:claim".to_owned();
    };
    caught(&forged(&book, Seals::Remade, whole), 6, "the state's digest differs from the replay");
    let number = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Resolved).nth(1).unwrap().step = 7;
    caught(&forged(&book, Seals::Remade, number), 6, "steps are numbered without gaps");
    let illegal = |entries: &mut Vec<(Entry, Body)>| {
        let resolved = bodies!(entries, Resolved).nth(1).unwrap();
        resolved.openings[0].value = "score score".to_owned();
        resolved.dmn = "2. score score / claim block:claim".to_owned();
    };
    caught(&forged(&book, Seals::Remade, illegal), 6, "the rules refuse the step");
    let asked = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Asked).last().unwrap().what = "duel".to_owned();
    caught(&forged(&book, Seals::Remade, asked), 6, "it asks what the rules ask");
    let alone = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Asked).last().unwrap().seats.truncate(1);
    caught(&forged(&book, Seals::Remade, alone), 6, "it asks what the rules ask");
}

#[test]
fn a_result_altered_is_caught_by_finding_6() {
    let book = colosseum();
    let result = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Ended).next().unwrap().result = "p2".to_owned();
    caught(&forged(&book, Seals::Remade, result), 6, "the result differs from the replay");
    let reason = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Ended).next().unwrap().reason = "dmo".to_owned();
    caught(&forged(&book, Seals::Remade, reason), 6, "the result differs from the replay");
    let steps = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Ended).next().unwrap().steps = 3;
    caught(&forged(&book, Seals::Remade, steps), 6, "the result differs from the replay");
    let ruling = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Ruled).next().unwrap().result.as_mut().unwrap().verdict = "p2".to_owned();
    };
    caught(&forged(&book, Seals::Remade, ruling), 6, "the result differs from the replay");
    let nobody = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Ruled).next().unwrap().result.as_mut().unwrap().verdict = "p3".to_owned();
    };
    among_others(&forged(&book, Seals::Remade, nobody), 1, "a ruling decides for p1, p2, undecided or void");
}

#[test]
fn entries_out_of_order_are_caught_by_finding_1() {
    let again = |entries: &mut Vec<(Entry, Body)>| {
        let first = entries[0].clone();
        let last = entries.last().unwrap().0.at;
        entries.push((Entry { at: last, ..first.0 }, first.1));
    };
    caught(&forged(&colosseum(), Seals::Remade, again), 1, "a match opens once");
    let gap = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Asked).last().unwrap().decision = "d9".parse().unwrap();
    };
    caught(&forged(&colosseum(), Seals::Remade, gap), 1, "decisions are numbered without gaps");
    let backwards = forged(&colosseum(), Seals::Remade, |entries| {
        entries.last_mut().unwrap().0.at = entries[0].0.at;
    });
    let report = verify(&backwards);
    assert!(report.findings[0].details[0].text.contains("before the previous entry's"), "{report:#?}");
}

#[test]
fn a_correction_that_changes_more_than_it_says_is_caught_by_finding_7() {
    let mut book = Book::opened("five-card-trick/dm-colosseum-2", None, NO_ITEMS);
    book.plays("score grow / score steal");
    book.plays("score steal / claim block:claim");
    book.plays("score claim / grow claim");
    book.corrects(1, None, Some("score claim"));
    let strike = book.history().strikes[0].entry;
    // The forger computes the digests again.
    let later = forged(&book, Seals::Remade, |entries| {
        let Body::Struck(struck) = &mut entries[strike.0 as usize].1 else { unreachable!() };
        struck.steps[1].dmn = "2. score steal / claim block:grow".to_owned();
        let mut duel = book.public().start;
        for step in &mut struck.steps {
            duel.play(&step.dmn, None).unwrap();
            step.digest = state_digest(&duel);
        }
    });
    caught(&later, 7, "step 2 is kept as it was sent");
    let fewer = forged(&book, Seals::Remade, |entries| {
        let Body::Struck(struck) = &mut entries[strike.0 as usize].1 else { unreachable!() };
        struck.steps.pop();
    });
    caught(&fewer, 7, "a correction keeps every later step");
    let nowhere = forged(&book, Seals::Remade, |entries| bodies!(entries, Struck).next().unwrap().from = 9);
    among_others(&nowhere, 7, "it strikes a step that is not there");
    let digest = forged(&book, Seals::Remade, |entries| {
        bodies!(entries, Struck).next().unwrap().steps[0].digest = Hash::ZERO;
    });
    caught(&digest, 6, "the state's digest differs from the replay");
}

#[test]
fn an_import_altered_is_caught_by_finding_6() {
    let file = crate::book::archive().into_iter().find(|file| file.name.contains("three-card")).unwrap();
    let book = Book::imported(&file.text);
    let digest = |entries: &mut Vec<(Entry, Body)>| bodies!(entries, Imported).next().unwrap().digest = Hash::ZERO;
    caught(&forged(&book, Seals::Kept, digest), 6, "the state's digest differs from the replay");
    let shorter = |entries: &mut Vec<(Entry, Body)>| drop(bodies!(entries, Imported).next().unwrap().dmn.remove(4));
    among_others(&forged(&book, Seals::Kept, shorter), 6, "the rules refuse the step");
}

#[test]
fn a_running_match_with_a_secret_is_still_held_to_its_openings() {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score block:claim / grow block:steal");
    book.plays("claim steal / claim");
    let dmn = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Resolved).nth(1).unwrap().dmn = "2. grow steal / claim".to_owned();
    };
    caught(&forged(&book, Seals::Remade, dmn), 6, "the step is not what the openings give");
    let first = |entries: &mut Vec<(Entry, Body)>| {
        bodies!(entries, Resolved).next().unwrap().dmn = "1. steal block:? / grow block:?".to_owned();
    };
    caught(&forged(&book, Seals::Remade, first), 6, "the step is not what the openings give");
}

/// A limit of all findings before checkpoints are signed: the holder of every key can write another match.
#[test]
fn a_match_made_anew_from_its_first_entry_verifies_and_says_what_it_does_not_show() {
    let bundle = forged(&colosseum(), Seals::Remade, |entries| {
        let last = bodies!(entries, Resolved).last().unwrap();
        last.openings[0].value = "grow claim".to_owned();
        last.dmn = "3. grow claim / -".to_owned();
        let mut duel = colosseum().public().start;
        for line in ["1. score grow / score steal", "2. score steal / claim block:claim", "3. grow claim / -"] {
            duel.play(line, None).unwrap();
        }
        last.digest = state_digest(&duel);
        bodies!(entries, Ruled).next().unwrap().result.as_mut().unwrap().digest = state_digest(&duel);
    });
    let report = verify(&bundle);
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(report.findings[1].status, Status::NotShown);
    assert_ne!(bundle.head, colosseum().head, "only somebody who saw the old head, or a receipt, can tell");
}
