//! A forger who holds the server and all its keys, and changes entries with care: the chain over them is remade, and
//! the seals, too, if that helps.

use std::collections::BTreeMap;

use ledger::{Draft, Entry, Hash, Head, SealKey, SealMessage, Sealer, Seq};
use record::Bundle;
use record::body::{Body, DrawnSeal, Opening, Sealed};
use record::verify::{Report, Status, verify};

use crate::book::Book;

/// The forger's treatment of the seals that the change breaks.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Seals {
    /// They stay as they are.
    Kept,
    /// Every seal is remade, with its own key and the new value of its opening.
    Remade,
}

pub(crate) type Entries = Vec<(Entry, Body)>;

/// The match with its entries changed by `change`, and the chain remade.
pub(crate) fn forged(book: &Book, seals: Seals, change: impl Fn(&mut Entries)) -> Bundle {
    let mut entries: Vec<(Entry, Body)> =
        book.entries().into_iter().map(|entry| (entry.clone(), Body::read(&entry).unwrap())).collect();
    change(&mut entries);
    let opened = openings(&entries);
    let mut head = Head::GENESIS;
    let mut asked: BTreeMap<String, (Hash, Vec<ledger::Field>)> = BTreeMap::new();
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

fn remake(
    book: &Book,
    sealed: &mut Sealed,
    seq: Seq,
    asked: &BTreeMap<String, (Hash, Vec<ledger::Field>)>,
    opened: &[Opening],
) {
    let Some((leaf, fields)) = asked.get(sealed.decision.as_str()) else { return };
    for (commitment, field) in sealed.commitments.iter_mut().zip(fields) {
        let Some(opening) = opened.iter().find(|opening| opening.entry == seq.0 && opening.field == *field) else {
            continue;
        };
        let message = SealMessage {
            origin: &book.origin,
            match_id: book.match_id,
            decision: &sealed.decision,
            seat: sealed.seat.sealer(),
            field,
            asked: *leaf,
            value: &opening.value,
        };
        *commitment = message.seal(&SealKey::from_hex(&opening.key).unwrap()).unwrap();
    }
}

/// Remakes the seals of a draw, each with the new value of its opening.
fn redraw(book: &Book, seals: &mut [DrawnSeal], seq: Seq, opened: &[Opening]) {
    let decision = format!("drawn-{}", seq.0).parse().unwrap();
    for seal in seals {
        let Some(opening) = opened.iter().find(|opening| opening.entry == seq.0 && opening.field == seal.field) else {
            continue;
        };
        let message = SealMessage {
            origin: &book.origin,
            match_id: book.match_id,
            decision: &decision,
            seat: Sealer::Host,
            field: &seal.field,
            asked: Hash::ZERO,
            value: &opening.value,
        };
        seal.commitment = message.seal(&SealKey::from_hex(&opening.key).unwrap()).unwrap();
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

pub(crate) fn failing(report: &Report) -> Vec<u8> {
    report.findings.iter().filter(|finding| finding.status == Status::Failed).map(|finding| finding.number).collect()
}

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
