//! The moment of a match at which a variation begins, and the real steps after it.

use app::views::{Beat, VisibleMatch, match_address};
use engine::{Ask, Duel, Sight, To, Word};
use record::words::row_words;
use record::{History, StepRecord};

use web_http::{ErrorKind, Problem};

#[derive(Clone, Debug)]
pub(super) struct Start<'h> {
    /// The match, with everything that was sealed, because the reader answers for both seats.
    pub(super) visible: VisibleMatch<'h>,
    pub(super) label: String,
    pub(super) beat: Beat,
    pub(super) duel: &'h Duel,
    earlier: &'h [StepRecord],
    pub(super) played: &'h [StepRecord],
}

impl<'h> Start<'h> {
    /// A moment of a row. Before the row and at its choices, the state is the one before its first step; after an act or
    /// after the row, the one after that step.
    pub(super) fn of(history: &'h History, label: &str, beat: Beat) -> Result<Self, Problem> {
        let home = match_address(history.match_id);
        let visible = VisibleMatch::with_sight(history, Sight::Everything).filter(|_| history.is_ended());
        let visible = visible.ok_or_else(|| {
            let detail = "This match still runs. Other moves can be tried from every moment of it once its result is \
                          entered, and not before: what the rules say of them could help a player.";
            Problem::of(ErrorKind::MatchRuns, detail).back(home.clone(), "Go to the match")
        })?;
        let rows = history.rows();
        let row = rows.iter().find(|row| row.label == label);
        let row = row.and_then(|row| Some((row.steps.first()?.number, row.steps.last()?.number)));
        let (first, last) = row.ok_or_else(|| {
            Problem::not_found(format!("There is no round \u{201c}{label}\u{201d} in this match."))
                .back(home, "Go to the match")
        })?;
        let steps = match beat {
            Beat::Before | Beat::Choices => first.saturating_sub(1),
            // Behind the row's acts there is its end alone.
            Beat::Act(number) => (first.saturating_sub(1).saturating_add(u32::from(number))).min(last),
            Beat::After => last,
        };
        let parts = usize::try_from(steps).ok().and_then(|steps| history.steps.split_at_checked(steps));
        let (earlier, played) = parts.unwrap_or((&history.steps, &[]));
        let duel = history.before(steps.saturating_add(1)).ok_or_else(|| {
            Problem::not_found("This moment cannot be replayed from the record, so nothing can be tried from it.")
                .back(beat.address(history.match_id, label), "Go to the moment")
        })?;
        Ok(Self { visible, label: label.to_owned(), beat, duel, earlier, played })
    }

    pub(super) const fn history(&self) -> &'h History {
        self.visible.history
    }

    pub(super) fn words(&self) -> String {
        format!("{}, {}", row_words(&self.label), self.beat.word())
    }

    pub(super) fn draws(&self, what: &str) -> (Vec<&'h str>, usize) {
        let history = self.history();
        let mut draws = host_draws(&self.visible, Some(&history.start), self.earlier, what);
        let before = draws.len();
        draws.extend(host_draws(&self.visible, Some(self.duel), self.played, what));
        (draws, before)
    }
}

pub(super) fn host_question(duel: &Duel) -> Option<Word> {
    duel.asks().into_iter().find(|ask| ask.to == To::Host).map(|ask: Ask| ask.what)
}

/// The host's draws for a purpose in these steps. Steps of an imported match do not name their question; the state
/// before them does.
fn host_draws<'s>(
    visible: &VisibleMatch<'_>,
    mut before: Option<&'s Duel>,
    steps: &'s [StepRecord],
    what: &str,
) -> Vec<&'s str> {
    let mut draws = Vec::new();
    for step in steps {
        draws.extend(visible.draw(step).filter(|_| before.and_then(host_question).is_some_and(|asked| asked == what)));
        before = step.after.as_ref();
    }
    draws
}
