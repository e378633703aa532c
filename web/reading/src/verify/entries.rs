//! The stored entries of a match, round by round.

use ledger::{Entry, Kind, Seq, leaf_hash};
use record::verify::Report;
use record::{Bundle, History, StepRecord, StepSource};

use page::When;

#[derive(Debug)]
pub(super) struct EntryGroup {
    pub(super) title: String,
    pub(super) entries: Vec<Stored>,
}

#[derive(Debug)]
pub(super) struct Stored {
    pub(super) seq: usize,
    pub(super) kind: String,
    pub(super) by: String,
    pub(super) at: Option<When>,
    pub(super) leaf: String,
    pub(super) bytes: usize,
    pub(super) line: String,
    pub(super) wrong: bool,
}

impl EntryGroup {
    pub(super) fn first(&self) -> usize {
        self.entries.first().map_or(0, |entry| entry.seq)
    }

    pub(super) fn last(&self) -> usize {
        self.entries.last().map_or(0, |entry| entry.seq)
    }

    pub(super) fn wrong(&self) -> bool {
        self.entries.iter().any(|entry| entry.wrong)
    }
}

pub(super) fn groups(bundle: &Bundle, report: &Report, history: Option<&History>) -> Vec<EntryGroup> {
    let rounds = history.map(rounds).unwrap_or_default();
    let wrong: Vec<Seq> = report
        .findings
        .iter()
        .flat_map(|finding| &finding.details)
        .filter(|detail| detail.wrong)
        .filter_map(|detail| detail.entry)
        .collect();
    let mut groups: Vec<EntryGroup> = Vec::new();
    for (seq, line) in bundle.lines.iter().enumerate() {
        let read = Entry::read(line).ok();
        let at = Seq(u32::try_from(seq).unwrap_or(u32::MAX));
        let title = title(read.as_ref(), at, &rounds);
        let stored = Stored {
            seq,
            kind: read.as_ref().map_or_else(|| "unreadable".to_owned(), |entry| entry.kind.as_str().to_owned()),
            by: read.as_ref().map(|entry| entry.by.to_string()).unwrap_or_default(),
            at: read.as_ref().map(|entry| When::clock(entry.at)),
            leaf: leaf_hash(line).to_string(),
            bytes: line.len(),
            line: String::from_utf8_lossy(line).into_owned(),
            wrong: wrong.contains(&at),
        };
        match groups.last_mut() {
            Some(group) if group.title == title => group.entries.push(stored),
            _ => groups.push(EntryGroup { title, entries: vec![stored] }),
        }
    }
    groups
}

fn rounds(history: &History) -> Vec<(Seq, u32)> {
    let struck = history.strikes.iter().flat_map(|strike| &strike.struck);
    let round = |step: &StepRecord| (step.entry, step.row.round);
    let own = |step: &&StepRecord| !matches!(step.source, StepSource::Correction { .. });
    let mut rounds: Vec<_> = history.steps.iter().chain(struck).filter(own).map(round).collect();
    rounds.sort_unstable();
    rounds
}

fn title(entry: Option<&Entry>, seq: Seq, rounds: &[(Seq, u32)]) -> String {
    match entry.map(|entry| entry.kind) {
        None => "Not readable".to_owned(),
        Some(Kind::Key) => "A key".to_owned(),
        Some(Kind::Linked) => "A link to a seat".to_owned(),
        Some(Kind::Opened | Kind::Imported) => "The opening".to_owned(),
        Some(Kind::Ended | Kind::Unsealed) => "The end".to_owned(),
        Some(Kind::Struck) => "A strike".to_owned(),
        Some(Kind::Ruled) => "A ruling".to_owned(),
        Some(Kind::Noted) => "A remark".to_owned(),
        Some(Kind::Objected) => "An objection".to_owned(),
        Some(_) => match rounds.iter().find(|(step, _)| *step >= seq) {
            Some((_, round)) => format!("Round {round}"),
            None => "Open questions".to_owned(),
        },
    }
}
