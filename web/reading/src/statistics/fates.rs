//! What became of each kind of action, as a table: how often it took effect, and how often it did not.

use app::archive::FateCount;
use engine::Fate;
use record::words::capital;

use page::Rate;

pub(super) struct FateTable {
    pub(super) fates: Vec<String>,
    pub(super) rows: Vec<FateRow>,
}

pub(super) struct FateRow {
    pub(super) action: String,
    pub(super) n: i64,
    pub(super) rates: Vec<Rate>,
}

impl FateTable {
    pub(super) fn of(counts: &[FateCount]) -> Option<Self> {
        let happened = |fate: &Fate| counts.iter().any(|count| count.fate == fate.word());
        let fates: Vec<Fate> = Fate::OF_CHOICES.into_iter().filter(happened).collect();
        let rows = counts.chunk_by(|a, b| a.subject == b.subject).filter_map(|group| {
            let n = group.iter().map(|count| count.n).sum();
            let of = |fate: &Fate| group.iter().filter(|count| count.fate == fate.word()).map(|count| count.n).sum();
            let rates: Vec<Rate> = fates.iter().map(|fate| Rate { k: of(fate), n }).collect();
            let always = group.len() == 1 && group.first()?.fate == Fate::Resolved.word();
            (!always).then(|| Some(FateRow { action: group.first()?.subject.clone(), n, rates }))?
        });
        let mut rows: Vec<FateRow> = rows.collect();
        rows.sort_by_key(|row| -row.n);
        let words = |fate: &Fate| if *fate == Fate::Resolved { "Worked".to_owned() } else { capital(fate.word()) };
        (!rows.is_empty()).then(|| Self { fates: fates.iter().map(words).collect(), rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(subject: &str, fate: Fate, n: i64) -> FateCount {
        FateCount { subject: subject.to_owned(), fate: fate.word().to_owned(), n }
    }

    #[test]
    fn only_what_can_fail_is_told() {
        let counts = [
            count("Higher", Fate::Failed, 39),
            count("Higher", Fate::Resolved, 61),
            count("Lower", Fate::Resolved, 7),
            count("Stop", Fate::Resolved, 90),
        ];
        let table = FateTable::of(&counts).unwrap();
        assert_eq!(table.fates, ["Worked", "Failed"]);
        let rows: Vec<_> = table.rows.iter().map(|row| (row.action.as_str(), row.n, row.rates.as_slice())).collect();
        assert_eq!(rows, [("Higher", 100, &[Rate { k: 61, n: 100 }, Rate { k: 39, n: 100 }][..])]);
        assert!(FateTable::of(&counts[2..]).is_none());
    }
}
