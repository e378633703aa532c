//! Receipts held against the entries of a match: each is in an entry, is not in one yet, or is evidence against the
//! server.

use std::collections::BTreeMap;
use std::fmt;

use engine::Seat;
use ledger::{Checkpoint, Commitment, DecisionId, Hash, Moment, Receipt, Seq, SignedReceipt, chain};

use super::{ReceiptFile, signed_by_any};
use crate::body::{Body, ReplacedSubmission, RulingEffect, Sealed, SeatPair, ShareList, ShareOpenings};
use crate::bundle::Bundle;
use crate::share::opening_id;

/// The reason why a file of receipts cannot be held against a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileMismatch {
    /// They are of different matches, or of different logs.
    #[error("the receipts are of match {file}, and the bundle is of {bundle}")]
    Match {
        /// The match of the file and its log.
        file: String,
        /// The match of the bundle and its log.
        bundle: String,
    },
    /// The bundle's entries do not follow from each other.
    #[error("the bundle is damaged: {0}. Check it with matchbook verify, and fetch it again")]
    Bundle(String),
    /// The file's first entry and the bundle's are different.
    #[error(
        "the first entry of the match in the file of receipts and in the bundle are different. If the log signed both, \
         this is evidence against the server: it told two stories of one match"
    )]
    Opening,
    /// The receipts were signed by another key than the match's.
    #[error("the file of receipts names another key of the host than the match's first entry")]
    HostKey,
}

/// The place of a receipt among the entries of its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceiptPlace {
    /// It counted.
    Counted {
        /// The `sealed` entry.
        entry: Seq,
    },
    /// It was replaced, or its decision closed without an answer.
    Replaced {
        /// The `unsealed` entry that shows it.
        entry: Seq,
    },
    /// It is in no entry yet, which is as it should be.
    NotYet {
        /// The reason.
        why: NotYet,
    },
    /// The match has ended, and shows it nowhere.
    Missing {
        /// The `ended` entry.
        ended: Seq,
    },
    /// An entry contradicts it.
    Contradicted {
        /// The entry.
        entry: Seq,
        /// The contradiction.
        why: String,
    },
}

/// The reason why a receipt is in no entry yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotYet {
    /// The bundle ends before its question.
    Unasked,
    /// Its decision has no answer.
    Unanswered,
    /// Another submission counted, and what did not count is shown when the match has ended.
    Running,
    /// It opened a share, and the shares were given up before their openings were listed.
    GivenUp,
}

impl ReceiptPlace {
    /// True if it is evidence against the server.
    #[must_use]
    pub const fn is_evidence(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Contradicted { .. })
    }
}

impl fmt::Display for ReceiptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counted { entry } => write!(f, "it counted: entry {entry}"),
            Self::Replaced { entry } => write!(f, "it did not count, and entry {entry} shows it"),
            Self::NotYet { why } => f.write_str(match why {
                NotYet::Unasked => "not entered yet: the bundle ends before its question. Fetch a newer one",
                NotYet::Unanswered => "not entered yet: its decision has no answer in this bundle",
                NotYet::Running => "not entered yet: what did not count is shown when the match has ended",
                NotYet::GivenUp => {
                    "in no entry, as it should be: the shares were given up before their openings were listed"
                }
            }),
            Self::Missing { ended } => write!(
                f,
                "missing: the match ended in entry {ended}, and no entry shows it. This is evidence against the server"
            ),
            Self::Contradicted { entry, why } => {
                write!(f, "contradicted: entry {entry} {why}. This is evidence against the server")
            }
        }
    }
}

impl ReceiptFile {
    /// Looks up every receipt in a match, in the order of the file. None for a receipt that the host did not sign, or
    /// that is of another match, log or seat than the file: [`check`](Self::check) says which.
    ///
    /// The bundle itself is not verified, beyond its chain.
    ///
    /// # Errors
    /// The file and the bundle do not belong together.
    pub fn find_in(&self, bundle: &Bundle) -> Result<Vec<Option<ReceiptPlace>>, FileMismatch> {
        let (header, submissions) = (&self.header, Submissions::of(bundle)?);
        if (&header.origin, header.match_id) != (&bundle.origin, bundle.match_id) {
            let file = format!("{} of {}", header.match_id, header.origin);
            return Err(FileMismatch::Match { file, bundle: format!("{} of {}", bundle.match_id, bundle.origin) });
        }
        if header.opened.as_ref().is_some_and(|opened| bundle.lines.first() != Some(&opened.entry.clone().into_bytes()))
        {
            return Err(FileMismatch::Opening);
        }
        let newest = bundle.logged.as_ref().and_then(|logged| Checkpoint::read(logged.checkpoint.text()).ok());
        let hosts = header.hosts(newest.as_ref()).ok().filter(|_| submissions.host_key == header.host_key);
        let hosts = hosts.ok_or(FileMismatch::HostKey)?;
        let place = |line: &super::Line| {
            let signed = SignedReceipt::read(line.receipt.as_bytes()).ok()?;
            let of = (&signed.receipt.origin, signed.receipt.match_id, signed.receipt.seat);
            let own = of == (&header.origin, header.match_id, header.seat.sealer());
            (own && signed_by_any(&signed, &hosts).is_ok()).then(|| submissions.place(&signed, header.seat.0))
        };
        Ok(self.receipts.iter().map(place).collect())
    }
}

#[derive(Default)]
struct Submissions {
    host_key: String,
    asked: BTreeMap<DecisionId, (Seq, Hash)>,
    sealed: Vec<(Seq, Sealed)>,
    replaced: Vec<(Seq, ReplacedSubmission)>,
    resolved: BTreeMap<DecisionId, (Seq, SeatPair<Option<u32>>)>,
    ends: Vec<Seq>,
    /// The lists of shares by the name under which their openings wait, and the openings.
    lists: BTreeMap<DecisionId, (Seq, Hash, ShareList)>,
    openings: Vec<(Seq, ShareOpenings)>,
    given_up: Vec<Seq>,
    /// The last entry and its time.
    last: Option<(Seq, Moment)>,
}

impl Submissions {
    fn of(bundle: &Bundle) -> Result<Self, FileMismatch> {
        let chain = chain::check(bundle.match_id, &bundle.lines, Some(bundle.head));
        let entries = chain.map_err(|broken| FileMismatch::Bundle(broken.to_string()))?.entries;
        let last = entries.last().map(|entry| (entry.seq, entry.at));
        let mut found = Self { last, ..Self::default() };
        for (entry, line) in entries.iter().zip(&bundle.lines) {
            let damaged = |why| FileMismatch::Bundle(format!("entry {}: {why}", entry.seq));
            match Body::read(entry).map_err(damaged)? {
                Body::Opened(body) => found.host_key = body.host_key,
                Body::Asked(body) => {
                    found.asked.entry(body.decision).or_insert((entry.seq, ledger::leaf_hash(line)));
                }
                Body::Sealed(body) => found.sealed.push((entry.seq, body)),
                Body::Resolved(body) => drop(found.resolved.insert(body.decision, (entry.seq, body.counted))),
                Body::Unsealed(body) => found.replaced.extend(body.replaced.into_iter().map(|one| (entry.seq, one))),
                Body::Ended(_) => found.ends.push(entry.seq),
                Body::ShareList(body) => {
                    if let Ok(id) = opening_id(&body.decision) {
                        found.lists.insert(id, (entry.seq, ledger::leaf_hash(line), body));
                    }
                }
                Body::ShareOpenings(body) => found.openings.push((entry.seq, body)),
                Body::Ruled(body) if body.does == Some(RulingEffect::Shares) => found.given_up.push(entry.seq),
                _ => {}
            }
        }
        Ok(found)
    }

    fn place(&self, signed: &SignedReceipt, seat: Seat) -> ReceiptPlace {
        let receipt = &signed.receipt;
        let contradicted = |entry: Seq, why: &str| ReceiptPlace::Contradicted { entry, why: why.to_owned() };
        if let Some(list) = self.lists.get(&receipt.decision) {
            return self.opening_place(receipt, seat, list);
        }
        let Some((asked, leaf)) = self.asked.get(&receipt.decision) else {
            // No time of an entry is earlier than the one before it, so a question stands before every later entry.
            let later = self.last.filter(|(_, at)| *at > receipt.at);
            return later.map_or(ReceiptPlace::NotYet { why: NotYet::Unasked }, |(entry, _)| {
                contradicted(entry, "is later than this, and its question is in no entry")
            });
        };
        if *leaf != receipt.asked {
            return contradicted(*asked, "asks something else for this decision than the receipt answers");
        }
        let says = |came: Moment, commitments: &[Commitment], is_final: bool| {
            (came, commitments, is_final) == (receipt.at, receipt.commitments.as_slice(), receipt.is_final)
        };
        let sealed =
            self.sealed.iter().find(|(_, sealed)| (&sealed.decision, sealed.seat.0) == (&receipt.decision, seat));
        if let Some((entry, sealed)) = sealed.filter(|(_, sealed)| sealed.ordinal <= receipt.ordinal) {
            return match sealed.ordinal == receipt.ordinal {
                true if says(sealed.came, &sealed.commitments, sealed.is_final) => {
                    ReceiptPlace::Counted { entry: *entry }
                }
                true => contradicted(*entry, "holds another submission of this number"),
                false => contradicted(*entry, "counts an earlier submission, and this one came after it"),
            };
        }
        let shown = self
            .replaced
            .iter()
            .find(|(_, one)| (&one.decision, one.seat.0, one.ordinal) == (&receipt.decision, seat, receipt.ordinal));
        if let Some((entry, one)) = shown {
            return match says(one.came, &one.commitments, one.is_final) {
                true => ReceiptPlace::Replaced { entry: *entry },
                false => contradicted(*entry, "shows another submission of this number"),
            };
        }
        let resolved = self.resolved.get(&receipt.decision);
        if let Some((entry, _)) = resolved.filter(|_| sealed.is_none()) {
            return contradicted(*entry, "says that the seat sent nothing for this decision");
        }
        if let Some(ended) = self.ends.iter().find(|ended| *ended > asked) {
            return ReceiptPlace::Missing { ended: *ended };
        }
        ReceiptPlace::NotYet { why: if sealed.is_none() { NotYet::Unanswered } else { NotYet::Running } }
    }

    fn opening_place(&self, receipt: &Receipt, seat: Seat, list: &(Seq, Hash, ShareList)) -> ReceiptPlace {
        let contradicted = |entry: Seq, why: &str| ReceiptPlace::Contradicted { entry, why: why.to_owned() };
        let (listed, leaf, list) = list;
        let of_seat = |pair: SeatPair<Option<Commitment>>| engine::BySeat::from(pair)[seat];
        if *leaf != receipt.asked || of_seat(list.commitments).as_slice() != receipt.commitments {
            return contradicted(*listed, "lists other shares than the one that the receipt opens");
        }
        let opened = self.openings.iter().find(|(_, opened)| opened.listed == listed.0);
        if let Some((entry, opened)) = opened {
            return match engine::BySeat::from(opened.came)[seat] {
                Some(came) if came == receipt.at => ReceiptPlace::Counted { entry: *entry },
                Some(_) => contradicted(*entry, "holds another opening of the share"),
                None => contradicted(*entry, "leaves out this opening"),
            };
        }
        let over = self.given_up.iter().chain(&self.ends).any(|entry| entry > listed);
        ReceiptPlace::NotYet { why: if over { NotYet::GivenUp } else { NotYet::Unanswered } }
    }
}
