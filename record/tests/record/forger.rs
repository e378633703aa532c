//! A forger who holds the server and all its keys, and changes entries with care: the chain over them is remade, and
//! the seals, too, if that helps.

use std::collections::BTreeMap;

use ledger::{Commitment, DecisionId, Draft, Entry, Field, Hash, Head, SealKey, SealMessage, Sealer, Seq};
use record::body::{Body, DrawnSeal, Opening, Sealed};
use record::verify::{Status, verify};
use record::{Bundle, state_digest};

use crate::book::Book;
use crate::report::failing;

/// The forger's treatment of the seals that the change breaks.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Seals {
    /// They stay as they are.
    Kept,
    /// Every seal is remade, with its own key and the new value of its opening.
    Remade,
}

pub(crate) type Entries = Vec<(Entry, Body)>;

/// The leaf and the fields of each question.
type Asked = BTreeMap<String, (Hash, Vec<Field>)>;

/// The match with its entries changed by `change`, and the chain remade.
pub(crate) fn forged(book: &Book, seals: Seals, change: impl Fn(&mut Entries)) -> Bundle {
    let mut entries: Vec<(Entry, Body)> =
        book.entries().into_iter().map(|entry| (entry.clone(), Body::read(&entry).unwrap())).collect();
    change(&mut entries);
    let opened = openings(&entries);
    let mut head = Head::GENESIS;
    let mut asked = Asked::new();
    let mut lines = Vec::new();
    for (entry, body) in &mut entries {
        match &mut *body {
            Body::Sealed(sealed) if seals == Seals::Remade => remake(book, sealed, head.next, &asked, &opened),
            Body::Drawn(drawn) if seals == Seals::Remade => redraw(book, &mut drawn.seals, head.next, &opened),
            Body::HostShare(shared) if seals == Seals::Remade => redraw(book, &mut shared.seals, head.next, &opened),
            _ => {}
        }
        let draft = Draft { at: entry.at, by: entry.by.clone(), kind: entry.kind, body: body.write() };
        let line = draft.write(book.match_id, head.next, head.leaf).unwrap();
        head = Head { next: head.next.next().unwrap(), leaf: line.leaf() };
        if let Body::Asked(body) = body {
            asked.insert(body.decision.to_string(), (line.leaf(), body.fields.clone()));
        }
        lines.push(line.into_bytes());
    }
    Bundle { lines, head, ..book.bundle() }
}

fn openings(entries: &[(Entry, Body)]) -> Vec<Opening> {
    let openings = entries.iter().flat_map(|(_, body)| match body {
        Body::Resolved(body) => body.openings.clone(),
        Body::Drawn(body) => body.openings.clone(),
        Body::HostShare(body) => body.openings.clone(),
        Body::ShareOpenings(body) => body.openings.clone(),
        Body::FixedSeed(body) => body.openings.clone(),
        Body::Unsealed(body) => body.openings.clone(),
        _ => Vec::new(),
    });
    openings.collect()
}

/// A seal with the key and the value of its opening, if there is one.
fn resealed(
    book: &Book,
    (decision, seat, asked): (&DecisionId, Sealer, Hash),
    (seq, field): (Seq, &Field),
    opened: &[Opening],
) -> Option<Commitment> {
    let opening = opened.iter().find(|opening| opening.entry == seq.0 && opening.field == *field)?;
    let (origin, match_id, value) = (&book.origin, book.match_id, opening.value.as_str());
    let message = SealMessage { origin, match_id, decision, seat, field, asked, value };
    message.seal(&SealKey::from_hex(&opening.key).ok()?).ok()
}

fn remake(book: &Book, sealed: &mut Sealed, seq: Seq, asked: &Asked, opened: &[Opening]) {
    let Some((leaf, fields)) = asked.get(sealed.decision.as_str()) else { return };
    for (commitment, field) in sealed.commitments.iter_mut().zip(fields) {
        let by = (&sealed.decision, sealed.seat.sealer(), *leaf);
        *commitment = resealed(book, by, (seq, field), opened).unwrap_or(*commitment);
    }
}

/// Remakes the seals of a draw, each with the new value of its opening.
fn redraw(book: &Book, seals: &mut [DrawnSeal], seq: Seq, opened: &[Opening]) {
    let decision = format!("drawn-{}", seq.0).parse().unwrap();
    for seal in seals {
        let by = (&decision, Sealer::Host, Hash::ZERO);
        seal.commitment = resealed(book, by, (seq, &seal.field), opened).unwrap_or(seal.commitment);
    }
}

macro_rules! bodies {
    ($entries:expr, $kind:ident) => {
        $entries.iter_mut().filter_map(|(_, body)| match body {
            Body::$kind(body) => Some(body),
            _ => None,
        })
    };
}
pub(crate) use bodies;

/// Checks that exactly this finding fails, with this reason among others.
pub(crate) fn caught(bundle: &Bundle, by: u8, why: &str) {
    assert_eq!(failing(&verify(bundle)), [by], "{why}: {:#?}", verify(bundle));
    among_others(bundle, by, why);
}

/// Checks that this finding fails among others, with this reason among others.
pub(crate) fn among_others(bundle: &Bundle, by: u8, why: &str) {
    let report = verify(bundle);
    let finding = &report.findings[usize::from(by) - 1];
    assert_eq!(finding.status, Status::Failed, "{why}: {report:#?}");
    assert!(finding.details.iter().any(|detail| detail.wrong && detail.text.contains(why)), "{why}: {finding:#?}");
}

/// Nothing is found where nothing was changed, whatever was sealed and drawn.
#[test]
fn the_forger_changes_nothing_and_all_is_well() {
    for name in
        ["colosseum", "puzzler", "deal, ended", "boards, ended", "drawn, ended", "drawn boards, ended", "opened, ended"]
    {
        let book = Book::of(name);
        for seals in [Seals::Kept, Seals::Remade] {
            let bundle = forged(&book, seals, |_| ());
            assert_eq!(bundle, book.bundle(), "{name}");
            assert_eq!(failing(&verify(&bundle)), [0; 0], "{name}");
        }
    }
}

/// The forger computes the digests of a correction again.
#[test]
fn a_correction_that_changes_more_than_it_says_is_caught() {
    let book = Book::of("corrected");
    let bundle = forged(&book, Seals::Remade, |entries| {
        let struck = bodies!(entries, Struck).next().unwrap();
        struck.steps[1].dmn = "2. score steal / claim block:grow".to_owned();
        let mut duel = book.public().start;
        for step in &mut struck.steps {
            duel.play(&step.dmn, None).unwrap();
            step.digest = state_digest(&duel);
        }
    });
    caught(&bundle, 7, "step 2 is kept as it was sent");
}

/// A limit of all findings before checkpoints are signed: the holder of every key can write another match.
#[test]
fn a_match_made_anew_from_its_first_entry_verifies_and_says_what_it_does_not_show() {
    let book = Book::of("colosseum");
    let bundle = forged(&book, Seals::Remade, |entries| {
        let last = bodies!(entries, Resolved).last().unwrap();
        last.openings[0].value = "grow claim".to_owned();
        last.dmn = "3. grow claim / -".to_owned();
        let mut duel = book.public().start;
        for line in ["1. score grow / score steal", "2. score steal / claim block:claim", "3. grow claim / -"] {
            duel.play(line, None).unwrap();
        }
        last.digest = state_digest(&duel);
        bodies!(entries, Ruled).next().unwrap().result.as_mut().unwrap().digest = state_digest(&duel);
    });
    let report = verify(&bundle);
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(report.findings[1].status, Status::NotShown);
    assert_ne!(bundle.head, book.head, "only somebody who saw the old head, or a receipt, can tell");
}
