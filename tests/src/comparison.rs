//! What the clients of a site were told, compared with what its record says: one comparison for every test that kills, freezes
//! or cuts something.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ledger::ed25519::PublicKey;
use ledger::tile::{TileId, TileIndex, TileLevel, TilePath};
use ledger::{Checkpoint, Commitment, Frontier, Hash, Receipt, SignedReceipt, Tree, TreeSize};
use record::Bundle;
use record::verify::Status;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tokio::time::Instant;

/// A submission for which a player has a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Acknowledged {
    decision: String,
    seat: String,
    ordinal: u64,
    commitments: Vec<Commitment>,
}

/// What the players and the umpire of a match were told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) receipts: Vec<SignedReceipt>,
    /// The decisions whose close was acknowledged.
    pub(crate) closed: Vec<String>,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// What was acknowledged is not in it, and nothing of the same seat replaced it.
    Lost(String),
    /// Something is in it twice, or two things have one number.
    Twice(String),
    /// Its entries or steps are not counted without gaps.
    Gap(String),
    /// What was signed is not a part of what is signed now.
    Fork(String),
    /// A receipt or the match does not verify.
    Unverified(String),
    /// A key is locked by a request on which nobody works any more.
    Locked(String),
}

/// Longer than the site works on a request: its lookups end after twelve seconds, and its wait for the database after fifteen.
const WORKED_ON_MAX: Duration = Duration::from_secs(30);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, what) = match self {
            Self::Lost(what) => ("lost", what),
            Self::Twice(what) => ("twice", what),
            Self::Gap(what) => ("a gap", what),
            Self::Fork(what) => ("a fork", what),
            Self::Unverified(what) => ("not verified", what),
            Self::Locked(what) => ("locked", what),
        };
        write!(f, "{word}: {what}")
    }
}

impl Acknowledged {
    fn of(receipt: &Receipt) -> Self {
        Self {
            decision: receipt.decision.to_string(),
            seat: receipt.seat.to_string(),
            ordinal: receipt.ordinal.into(),
            commitments: receipt.commitments.clone(),
        }
    }

    /// The same as an entry has it.
    fn entered(body: &Value) -> Option<Self> {
        let commitments = body["commitments"].as_array()?.iter().map(|one| one.as_str()?.parse().ok());
        Some(Self {
            decision: body["decision"].as_str()?.to_owned(),
            seat: body["seat"].as_str()?.to_owned(),
            ordinal: body["ordinal"].as_u64()?,
            commitments: commitments.collect::<Option<_>>()?,
        })
    }

    fn place(&self) -> (&str, &str) {
        (&self.decision, &self.seat)
    }
}

impl fmt::Display for Acknowledged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}, number {}", self.decision, self.seat, self.ordinal)
    }
}

/// The bodies of the entries of a kind.
fn bodies<'e>(entries: &'e [Value], kind: &'static str) -> impl Iterator<Item = &'e Value> {
    entries.iter().filter(move |entry| entry["kind"] == kind).map(|entry| &entry["body"])
}

/// Compares the entries of a match with the submissions and closes that were acknowledged.
fn compare(acknowledged: &[Acknowledged], closed: &[String], entries: &[Value]) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for (n, entry) in entries.iter().enumerate() {
        if entry["seq"].as_u64() != Some(n as u64) {
            wrong.push(Wrong::Gap(format!("entry {n} says that it is {}", entry["seq"])));
        }
    }
    let sealed: Vec<Acknowledged> = bodies(entries, "sealed").filter_map(Acknowledged::entered).collect();
    let (mut places, mut seals) = (BTreeSet::new(), BTreeSet::new());
    for seal in &sealed {
        if !places.insert(seal.place()) || !seal.commitments.iter().all(|one| seals.insert(one.to_string())) {
            wrong.push(Wrong::Twice(format!("the seal for {seal}")));
        }
    }
    let mut resolved = BTreeSet::new();
    for (n, body) in bodies(entries, "resolved").enumerate() {
        let decision = body["decision"].as_str().unwrap_or_default();
        if !resolved.insert(decision) {
            wrong.push(Wrong::Twice(format!("the step for {decision}")));
        }
        if body["step"].as_u64() != Some(n as u64 + 1) {
            wrong.push(Wrong::Gap(format!("step {} is the {}. one", body["step"], n + 1)));
        }
    }
    for decision in closed.iter().filter(|decision| !resolved.contains(decision.as_str())) {
        wrong.push(Wrong::Lost(format!("the step for {decision}, whose close was acknowledged")));
    }
    let mut numbers: BTreeMap<(&str, &str, u64), &Acknowledged> = BTreeMap::new();
    for one in acknowledged {
        let number = (one.decision.as_str(), one.seat.as_str(), one.ordinal);
        if numbers.insert(number, one).is_some_and(|other| other.commitments != one.commitments) {
            wrong.push(Wrong::Twice(format!("two receipts for {one}")));
        }
        let kept = match sealed.iter().find(|seal| seal.place() == one.place()) {
            Some(seal) if seal.ordinal == one.ordinal => seal.commitments == one.commitments,
            // A later one replaced it.
            Some(seal) => seal.ordinal > one.ordinal,
            None => !resolved.contains(one.decision.as_str()),
        };
        if !kept {
            wrong.push(Wrong::Lost(format!("what was acknowledged for {one}")));
        }
    }
    wrong
}

/// Compares trees that were signed with the leaves of the last one.
fn compare_trees(kept: &[Tree], leaves: &[Hash]) -> Vec<Wrong> {
    let mut roots: BTreeMap<TreeSize, BTreeSet<Hash>> = BTreeMap::new();
    for tree in kept {
        roots.entry(tree.size).or_default().insert(tree.root);
    }
    let (mut wrong, mut grown) = (Vec::new(), Frontier::default());
    let mut differs = |size: TreeSize, now: Option<Hash>| {
        let other = roots.remove(&size).unwrap_or_default().into_iter().any(|root| Some(root) != now);
        wrong.extend(other.then(|| Wrong::Fork(format!("the tree of {size} entries"))));
    };
    differs(TreeSize(0), Some(Tree::empty().root));
    for leaf in leaves {
        grown.push(*leaf);
        let tree = grown.tree();
        differs(tree.size, Some(tree.root));
    }
    let beyond: Vec<TreeSize> = roots.into_keys().collect();
    wrong.extend(beyond.into_iter().map(|size| Wrong::Fork(format!("a tree of {size} entries is not there any more"))));
    wrong
}

/// A site that serves, for whoever compares it.
pub(crate) struct Served<'s> {
    pub(crate) http: &'s Client,
    pub(crate) address: &'s str,
}

impl Served<'_> {
    /// Compares all of it with what was told, by match, and with the checkpoints that were read meanwhile.
    pub(crate) async fn compare(&self, told: &BTreeMap<String, Told>, checkpoints: &[Tree]) -> Result<Vec<Wrong>> {
        let mut wrong = Vec::new();
        for (slug, told) in told {
            let bundle = Bundle::read(&self.bytes(&format!("/m/{slug}.bundle")).await?)?;
            let found = compare_match(told, &bundle)?;
            wrong.extend(found.into_iter().map(|wrong| (slug, wrong)));
        }
        let wrong = wrong.into_iter().map(|(slug, wrong)| wrong.of(slug));
        let last = checkpoint(&self.bytes("/checkpoint").await?)?;
        let leaves = self.leaves(last.size).await?;
        let mut trees = checkpoints.to_vec();
        trees.push(last);
        Ok(wrong.chain(compare_trees(&trees, &leaves)).collect())
    }

    async fn leaves(&self, size: TreeSize) -> Result<Vec<Hash>> {
        let mut leaves = Vec::new();
        for index in (0..size.0.div_ceil(256)).map(TileIndex) {
            let tile = TileId::in_tree(TileLevel::LEAVES, index, size).context("a tile")?;
            for hash in self.bytes(&format!("/{}", TilePath::Hashes(tile))).await?.chunks_exact(32) {
                leaves.push(Hash::new(hash.try_into()?));
            }
        }
        ensure!(leaves.len() as u64 == size.0, "{} leaves of {size}", leaves.len());
        Ok(leaves)
    }

    async fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let answer = self.http.get(format!("{}{path}", self.address)).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.bytes().await?.into())
    }
}

impl Wrong {
    fn of(self, slug: &str) -> Self {
        let named = |what: String| format!("{slug}: {what}");
        match self {
            Self::Lost(what) => Self::Lost(named(what)),
            Self::Twice(what) => Self::Twice(named(what)),
            Self::Gap(what) => Self::Gap(named(what)),
            Self::Fork(what) => Self::Fork(named(what)),
            Self::Unverified(what) => Self::Unverified(named(what)),
            Self::Locked(what) => Self::Locked(named(what)),
        }
    }
}

/// A request that is sent again and again with one Idempotency-Key, until it is acknowledged.
pub(crate) struct Request {
    pub(crate) key: String,
    /// When its client last stopped waiting for an answer. The site may work on it for some time more.
    given_up: Instant,
}

impl Request {
    /// It is sent for the first time.
    pub(crate) const fn begun(key: String, at: Instant) -> Self {
        Self { key, given_up: at }
    }

    /// Its client did not wait for the answer.
    pub(crate) const fn is_given_up(&mut self, at: Instant) {
        self.given_up = at;
    }

    /// True if it may succeed when it is sent again. The answer 409 says so only while the site works on the same request;
    /// every other 409 is stored, and comes again.
    pub(crate) fn may_pass(&self, status: StatusCode, text: &str, at: Instant) -> Result<bool, Wrong> {
        let passing = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
        if status.is_server_error() || passing.contains(&status) {
            return Ok(true);
        }
        let title = serde_json::from_str::<Value>(text).ok().map(|problem| problem["title"].clone());
        if status != StatusCode::CONFLICT || title.is_none_or(|title| title != "Not answered yet") {
            return Ok(false);
        }
        let since = at - self.given_up;
        if since <= WORKED_ON_MAX {
            return Ok(true);
        }
        Err(Wrong::Locked(format!(
            "{}: nobody works on its request, and {since:?} later it is still refused",
            self.key
        )))
    }
}

/// The tree that a checkpoint signs.
pub(crate) fn checkpoint(note: &[u8]) -> Result<Tree> {
    Ok(Checkpoint::read(ledger::Note::read(note)?.text())?.tree())
}

fn compare_match(told: &Told, bundle: &Bundle) -> Result<Vec<Wrong>> {
    let entries = bundle.lines.iter().map(|line| serde_json::from_slice(line)).collect::<Result<Vec<Value>, _>>()?;
    let acknowledged: Vec<Acknowledged> =
        told.receipts.iter().map(|signed| Acknowledged::of(&signed.receipt)).collect();
    let mut wrong = compare(&acknowledged, &told.closed, &entries);
    let host = entries.first().and_then(|first| first["body"]["host_key"].as_str()).context("a host's key")?;
    let host = PublicKey::read(Hash::from_base64(host)?.bytes())?;
    for signed in &told.receipts {
        if let Err(error) = signed.check(host) {
            wrong.push(Wrong::Unverified(format!("{}: {error}", Acknowledged::of(&signed.receipt))));
        }
    }
    let report = record::verify::verify(bundle);
    if !report.is_good() {
        let bad = report.findings.iter().filter(|finding| finding.status == Status::Failed);
        let why: Vec<String> = bad.map(|finding| format!("{} {:?}", finding.summary, finding.details)).collect();
        wrong.push(Wrong::Unverified(format!("{}: {}", report.verdict, why.join(" "))));
    }
    Ok(wrong)
}

/// A real match, and what its players were told.
fn by_hand() -> Result<(Vec<Acknowledged>, Vec<String>, Vec<Value>)> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/vectors/by-hand.bundle");
    let bundle = Bundle::read(&std::fs::read(file)?)?;
    let entries = bundle.lines.iter().map(|line| serde_json::from_slice(line)).collect::<Result<Vec<Value>, _>>()?;
    let mut told: Vec<Acknowledged> = bodies(&entries, "sealed").filter_map(Acknowledged::entered).collect();
    // One that was replaced before.
    let replaced = told.iter().find(|one| one.ordinal > 0).context("one that replaced another")?;
    told.push(Acknowledged { ordinal: 0, commitments: vec![Commitment::new([7; 32])], ..replaced.clone() });
    let closed = bodies(&entries, "resolved").filter_map(|body| Some(body["decision"].as_str()?.to_owned()));
    let closed = closed.collect();
    Ok((told, closed, entries))
}

#[test]
fn every_alteration_of_a_record_is_found() -> Result<()> {
    let (told, closed, entries) = by_hand()?;
    assert_eq!(compare(&told, &closed, &entries), []);
    let found = |altered: &[Value]| compare(&told, &closed, altered);
    for n in 0..entries.len() {
        let mut without = entries.clone();
        let taken = without.remove(n);
        let is_last = n + 1 == entries.len();
        ensure!(is_last || !found(&without).is_empty(), "entry {n} is taken away");
        let is_answer = ["sealed", "resolved"].iter().any(|kind| taken["kind"] == *kind);
        let is_lost = found(&without).iter().any(|wrong| matches!(wrong, Wrong::Lost(_)));
        ensure!(is_answer == is_lost, "entry {n}, {}, is taken away: {:?}", taken["kind"], found(&without));

        let mut doubled = entries.clone();
        doubled.insert(n, taken.clone());
        ensure!(!found(&doubled).is_empty(), "entry {n} is there twice");
        let is_twice = found(&doubled).iter().any(|wrong| matches!(wrong, Wrong::Twice(_)));
        ensure!(is_answer == is_twice, "entry {n}, {}, is there twice: {:?}", taken["kind"], found(&doubled));

        if !is_last {
            let mut swapped = entries.clone();
            swapped.swap(n, n + 1);
            ensure!(!found(&swapped).is_empty(), "entries {n} and {} are swapped", n + 1);
        }
    }
    Ok(())
}

#[test]
fn every_receipt_that_the_record_does_not_have_is_found() -> Result<()> {
    let (told, closed, entries) = by_hand()?;
    for n in 0..told.len() {
        // A later one that counts, another in its place, and two with one number.
        let mut later = told.clone();
        later.push(Acknowledged { ordinal: 32, ..told[n].clone() });
        ensure!(matches!(compare(&later, &closed, &entries)[..], [Wrong::Lost(_)]), "a later one of {}", told[n]);
        let other = Acknowledged { commitments: vec![Commitment::new([9; 32])], ..told[n].clone() };
        let mut both = told.clone();
        both.push(other);
        let wrong = compare(&both, &closed, &entries);
        ensure!(matches!(wrong.first(), Some(Wrong::Twice(_))), "two receipts for {}: {wrong:?}", told[n]);
    }
    let never = [closed, vec!["d77".to_owned()]].concat();
    ensure!(matches!(compare(&told, &never, &entries)[..], [Wrong::Lost(_)]), "a close that is not there");
    Ok(())
}

#[test]
fn a_key_that_stays_locked_is_found_and_named() {
    let (begun, seconds) = (Instant::now(), Duration::from_secs);
    let working = "{\"title\":\"Not answered yet\",\"status\":409}";
    let mut request = Request::begun("key-7".to_owned(), begun);
    let locked = |request: &Request, at: u64| request.may_pass(StatusCode::CONFLICT, working, begun + seconds(at));
    for at in [0, 1, 12, 27, 30] {
        assert_eq!(locked(&request, at), Ok(true), "after {at} s");
    }
    // What a crash left behind locked a key for a minute.
    for at in [31, 59, 60] {
        let wrong = locked(&request, at).map_err(|wrong| wrong.to_string());
        assert!(wrong.as_ref().is_err_and(|wrong| wrong.starts_with("locked: key-7: ")), "after {at} s: {wrong:?}");
    }
    // It may be worked on since its client last gave it up.
    request.is_given_up(begun + seconds(40));
    assert_eq!(locked(&request, 60), Ok(true));
    assert!(locked(&request, 71).is_err());
    // What else may pass locks no key, and another 409 never passes.
    let passing = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    for status in passing {
        assert_eq!(request.may_pass(status, "", begun + seconds(99)), Ok(true), "{status}");
    }
    for text in ["{\"title\":\"Too late\",\"status\":409}", "{}", ""] {
        assert_eq!(request.may_pass(StatusCode::CONFLICT, text, begun), Ok(false), "{text}");
    }
    assert_eq!(request.may_pass(StatusCode::NOT_FOUND, working, begun), Ok(false));
}

#[test]
fn every_tree_that_is_no_part_of_the_last_is_found() {
    let leaves: Vec<Hash> = (0..20).map(|n| ledger::leaf_hash(&[n])).collect();
    let mut grown = Frontier::default();
    let mut kept = vec![grown.tree()];
    for leaf in &leaves {
        grown.push(*leaf);
        kept.push(grown.tree());
    }
    assert_eq!(compare_trees(&kept, &leaves), []);
    for tree in &kept {
        let other = Tree { root: ledger::leaf_hash(b"another history"), ..*tree };
        assert!(matches!(compare_trees(&[other], &leaves)[..], [Wrong::Fork(_)]), "{tree:?}");
        // The log has lost its end.
        let shorter = &leaves[..leaves.len() - 1];
        assert_eq!(compare_trees(&[*tree], shorter).is_empty(), tree.size.0 < 20, "{tree:?}");
    }
}
