//! The plan of a batch. It is pure: the requests and the end of the log determine the rows, or the refusals.
//!
//! A plan is deterministic. After a lost connection the same plan is inserted again at the same position, or is found
//! there. A new plan is made only once it is known that another writer has taken its position.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ledger::{Draft, Frontier, Hash, Head, LeafIndex, Line, MatchId, Moment, SubmitId};

use super::append::{APPEND_MAX_ENTRIES, Append, AppendError, AppendResult, EntryPlace, Refusal, Submit};
use super::read::TreeHead;
use super::texts::Text;
use super::tips::Tip;

#[derive(Debug)]
pub(super) struct Row {
    pub(super) match_id: MatchId,
    pub(super) line: Line,
    pub(super) placed: EntryPlace,
    /// For the first entry of an append with a submit id, together with the append's number of entries.
    pub(super) submit: Option<(Submit, i16)>,
}

#[derive(Debug, Clone)]
pub(super) struct Earlier {
    pub(super) digest: Hash,
    pub(super) appended: AppendResult,
}

#[derive(Debug)]
enum AppendOutcome {
    Rows(Range<usize>, Head),
    Answer(Result<AppendResult, AppendError>),
    Later,
}

pub(super) enum PlanOutcome {
    Committed,
    /// Another writer's entries have its position, and are known now. It can never be committed.
    Overtaken,
    Repeats,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) first: LeafIndex,
    pub(super) rows: Vec<Row>,
    pub(super) texts: Vec<(MatchId, Text)>,
    pub(super) frontier: Frontier,
    pub(super) tree: TreeHead,
    pub(super) tips: HashMap<MatchId, Tip>,
    /// True if an append was refused because its match has moved on.
    pub(super) refuses_stale: bool,
    outcomes: Vec<AppendOutcome>,
}

impl Plan {
    pub(super) fn make<'a>(
        appends: impl IntoIterator<Item = &'a Append>,
        mut tips: HashMap<MatchId, Tip>,
        earlier: &HashMap<SubmitId, Earlier>,
        before: &Frontier,
    ) -> Self {
        let first = before.size().next_leaf();
        let (mut rows, mut texts): (Vec<Row>, Vec<(MatchId, Text)>) = (Vec::new(), Vec::new());
        let mut submits = HashSet::new();
        let mut refuses_stale = false;
        let mut outcomes = Vec::new();
        for append in appends {
            if let Some(submit) = append.submit {
                if let Some(earlier) = earlier.get(&submit.id) {
                    outcomes.push(AppendOutcome::Answer(earlier.answer(submit)));
                    continue;
                }
                if !submits.insert(submit.id) {
                    outcomes.push(AppendOutcome::Later);
                    continue;
                }
            }
            let tip = tips.get(&append.match_id).copied().unwrap_or(Tip::GENESIS);
            let next = LeafIndex(first.0.saturating_add(rows.len() as u64));
            outcomes.push(match write(append, tip, next) {
                Ok((written, tip)) => {
                    let start = rows.len();
                    rows.extend(written);
                    texts.extend(append.texts.iter().map(|text| (append.match_id, text.clone())));
                    tips.insert(append.match_id, tip);
                    AppendOutcome::Rows(start..rows.len(), tip.head)
                }
                Err(refusal) => {
                    refuses_stale |= matches!(refusal, Refusal::Stale { .. });
                    AppendOutcome::Answer(Err(refusal.into()))
                }
            });
        }
        let mut frontier = before.clone();
        frontier.extend(rows.iter().map(|row| row.placed.leaf));
        let at = rows.iter().map(|row| row.placed.at).max();
        let tree = TreeHead { size: frontier.size(), root: frontier.root(), at };
        Self { first, rows, texts, frontier, tree, tips, refuses_stale, outcomes }
    }

    /// The answers once the rows are committed, one for each append; none for one that must wait for the next batch.
    pub(super) fn answers(&self) -> impl Iterator<Item = Option<Result<AppendResult, AppendError>>> {
        self.outcomes.iter().map(|outcome| match outcome {
            AppendOutcome::Rows(range, head) => {
                let rows = self.rows.get(range.clone()).unwrap_or_default();
                let entries = rows.iter().map(|row| row.placed).collect();
                Some(Ok(AppendResult { entries, head: *head, tree: self.tree }))
            }
            AppendOutcome::Answer(answer) => Some(answer.clone()),
            AppendOutcome::Later => None,
        })
    }
}

impl Earlier {
    fn answer(&self, submit: Submit) -> Result<AppendResult, AppendError> {
        if self.digest == submit.digest { Ok(self.appended.clone()) } else { Err(Refusal::SubmitReused.into()) }
    }
}

fn write(append: &Append, mut tip: Tip, first: LeafIndex) -> Result<(Vec<Row>, Tip), Refusal> {
    admit(append)?;
    if append.expected != tip.head {
        return Err(Refusal::Stale { expected: append.expected, head: tip.head });
    }
    let mut submit = append.submit.zip(i16::try_from(append.drafts.len()).ok());
    let mut rows = Vec::with_capacity(append.drafts.len());
    for (index, (number, draft)) in (first.0..).zip(append.drafts.iter().enumerate()) {
        let seq = tip.head.next;
        let at = draft.at.max(tip.at);
        let error = |error| Refusal::Draft { draft: number, error };
        let line = write_at(draft, at, append.match_id, tip.head).map_err(error)?;
        let leaf = line.leaf();
        let placed = EntryPlace { index: LeafIndex(index), seq, leaf, at };
        rows.push(Row { match_id: append.match_id, line, placed, submit: submit.take() });
        // PostgreSQL's integer ends at 2^31 - 1; a match is limited long before.
        let next = seq.next().filter(|next| i32::try_from(next.0).is_ok()).ok_or(Refusal::Full)?;
        tip = Tip { head: Head { next, leaf }, at };
    }
    Ok((rows, tip))
}

fn write_at(draft: &Draft, at: Moment, match_id: MatchId, head: Head) -> Result<Line, ledger::EntryError> {
    let Head { next: seq, leaf: prev } = head;
    if at == draft.at {
        draft.write(match_id, seq, prev)
    } else {
        Draft { at, ..draft.clone() }.write(match_id, seq, prev)
    }
}

pub(super) fn admit(append: &Append) -> Result<(), Refusal> {
    match append.drafts.len() {
        0 => Err(Refusal::Empty),
        entries if entries > APPEND_MAX_ENTRIES => Err(Refusal::TooMany { entries }),
        _ if append.texts.iter().any(|text| text.text.contains('\0')) => Err(Refusal::Text),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ledger::LogId;

    use super::*;
    use ledger::{Author, Kind};

    fn match_id(n: u128) -> MatchId {
        MatchId(uuid::Uuid::from_u128(n))
    }

    fn draft(micros: i64) -> Draft {
        Draft { at: Moment::from_micros(micros).unwrap(), by: Author::Server, kind: Kind::Noted, body: "{}".to_owned() }
    }

    fn append(n: u128, expected: Head, drafts: Vec<Draft>) -> Append {
        Append { log_id: LogId(1), match_id: match_id(n), expected, drafts, texts: Vec::new(), submit: None }
    }

    fn plan(appends: &[Append], earlier: &HashMap<SubmitId, Earlier>) -> Plan {
        Plan::make(appends, HashMap::new(), earlier, &Frontier::new())
    }

    #[test]
    fn appends_of_one_match_chain_within_a_batch() {
        let first = append(1, Head::GENESIS, vec![draft(5), draft(6)]);
        let head = plan(std::slice::from_ref(&first), &HashMap::new()).tips[&match_id(1)].head;
        let second = append(1, head, vec![draft(4)]);
        let plan = plan(&[first, append(2, Head::GENESIS, vec![draft(1)]), second.clone(), second], &HashMap::new());

        let placed: Vec<_> = plan.rows.iter().map(|row| (row.placed.index.0, row.placed.seq.0)).collect();
        assert_eq!(placed, [(0, 0), (1, 1), (2, 0), (3, 2)]);
        assert_eq!(plan.rows[3].placed.at.micros(), 6, "the clock is raised to the previous entry's");
        assert_eq!(plan.rows.iter().map(|row| row.placed.leaf).collect::<Frontier>(), plan.frontier);
        let lines: Vec<&[u8]> = [0, 1, 3].map(|row: usize| plan.rows[row].line.bytes()).to_vec();
        ledger::chain::check(match_id(1), &lines, Some(plan.tips[&match_id(1)].head)).unwrap();

        let answers: Vec<_> = plan.answers().map(Option::unwrap).collect();
        assert_eq!(answers[0].as_ref().unwrap().entries.len(), 2);
        let stale = Refusal::Stale { expected: head, head: plan.tips[&match_id(1)].head };
        assert_eq!(answers[3], Err(AppendError::Refused(stale)));
        assert!(plan.refuses_stale);
    }

    #[test]
    fn a_refused_append_writes_nothing() {
        let bad = Draft { body: "[]".to_owned(), ..draft(1) };
        let too_many = vec![draft(1); APPEND_MAX_ENTRIES + 1];
        let refused = [vec![draft(1), bad], vec![], too_many].map(|drafts| append(1, Head::GENESIS, drafts));
        let plan = plan(&refused, &HashMap::new());
        assert!(plan.rows.is_empty());
        let said: Vec<String> = plan.answers().map(|answer| answer.unwrap().unwrap_err().to_string()).collect();
        assert_eq!(
            said,
            [
                "draft 1: byte 0: a body is a JSON object",
                "an append has at least one entry",
                "an append has at most 512 entries, this has 513",
            ]
        );
    }

    #[test]
    fn a_repetition_waits_for_the_first_and_gets_its_answer() {
        let submit = Submit { id: SubmitId([7; 16]), digest: Hash::new([1; 32]) };
        let once = Append { submit: Some(submit), ..append(1, Head::GENESIS, vec![draft(1), draft(2)]) };
        let both = plan(&[once.clone(), once.clone()], &HashMap::new());
        let answers: Vec<_> = both.answers().collect();
        assert_eq!((both.rows.len(), answers[1].is_none()), (2, true));
        assert_eq!(both.rows[0].submit, Some((submit, 2)));
        assert_eq!(both.rows[1].submit, None);

        let appended = answers[0].clone().unwrap().unwrap();
        let earlier = HashMap::from([(submit.id, Earlier { digest: submit.digest, appended: appended.clone() })]);
        let other = Append { submit: Some(Submit { digest: Hash::ZERO, ..submit }), ..once.clone() };
        let again = plan(&[once, other], &earlier);
        assert!(again.rows.is_empty());
        let answers: Vec<_> = again.answers().map(Option::unwrap).collect();
        assert_eq!(answers, [Ok(appended), Err(AppendError::Refused(Refusal::SubmitReused))]);
    }
}
