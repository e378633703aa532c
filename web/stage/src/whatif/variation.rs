//! A variation: the moves and draws tried from a moment, one after another, as listed in an address.

use app::views::LineError;
use engine::{Ask, Duel, Effect, Party, To, name_seats};
use ledger::{Hash, Seq};
use record::limits::MOVE_MAX_CHARS;
use record::{StepRecord, StepSource};

use super::starting_point::{Start, host_question};

pub(super) const LINES_MAX: usize = 40;
const LINE_MAX_CHARS: usize = 2 * MOVE_MAX_CHARS + 40;
/// The longest query of an address. Many programs between a reader and a site limit a line to 8 kB.
const QUERY_MAX_BYTES: usize = 7_500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum LimitError {
    #[error("A what-if line has at most {LINES_MAX} moves and draws, and this one has {0}.")]
    Lines(usize),
    #[error("Move {0} of this what-if line has {1} characters; {LINE_MAX_CHARS} are the most.")]
    Line(usize, usize),
    #[error("This what-if line takes {0} characters of its address; {QUERY_MAX_BYTES} are the most.")]
    Query(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Variation<'s, 'h> {
    pub(super) start: &'s Start<'h>,
    pub(super) steps: Vec<StepRecord>,
    pub(super) refused: Option<RefusedLine>,
}

#[derive(Clone, Debug)]
pub(super) struct RefusedLine {
    pub(super) typed: String,
    pub(super) error: LineError,
    pub(super) rest: Vec<String>,
}

pub(super) fn lines(parameters: &[(String, String)], query_bytes: usize) -> Result<Vec<String>, LimitError> {
    if query_bytes > QUERY_MAX_BYTES {
        return Err(LimitError::Query(query_bytes));
    }
    let lines = parameters.iter().filter(|(name, _)| name == "line").map(|(_, line)| line.trim().to_owned());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    if lines.len() > LINES_MAX {
        return Err(LimitError::Lines(lines.len()));
    }
    for (at, line) in lines.iter().enumerate() {
        let length = line.chars().count();
        if length > LINE_MAX_CHARS {
            return Err(LimitError::Line(at + 1, length));
        }
    }
    Ok(lines)
}

impl<'s, 'h> Variation<'s, 'h> {
    pub(super) fn of(start: &'s Start<'h>, lines: &[String]) -> Self {
        let mut variation = Self { start, steps: Vec::new(), refused: None };
        for (at, line) in lines.iter().enumerate() {
            match variation.try_line(line) {
                Ok(step) => variation.steps.push(step),
                Err(error) => {
                    let rest = lines.get(at + 1..).unwrap_or_default().to_vec();
                    variation.refused = Some(RefusedLine { typed: line.clone(), error, rest });
                    break;
                }
            }
        }
        variation
    }

    pub(super) fn try_line(&self, line: &str) -> Result<StepRecord, LineError> {
        let history = self.start.history();
        let mut after = self.duel().clone();
        let mut effects: Vec<Effect> = Vec::new();
        let played = after.play(line, Some(&mut effects)).map_err(|refusal| {
            let error = LineError::of(line, &refusal);
            LineError { text: name_seats(&error.text, history.both_names()), ..error }
        })?;
        // A decision has a reason in free text, and is not a move.
        if played.text.starts_with("umpire:") {
            return Err(LineError::whole(
                "Only moves and draws can be tried here: a decision is the umpire\u{2019}s alone.",
            ));
        }
        let steps = self.start.played.len().saturating_add(self.steps.len());
        Ok(StepRecord {
            number: u32::try_from(steps).unwrap_or(u32::MAX).saturating_add(1),
            entry: Seq(0),
            at: history.last_at,
            source: StepSource::Import,
            what: String::new(),
            text: Some(played.text),
            public: played.public,
            moves: played.moves,
            keeps: played.keeps,
            row: played.row,
            effects,
            after: Some(after),
            digest: Hash::ZERO,
            seals: Vec::new(),
        })
    }

    pub(super) fn duel(&self) -> &Duel {
        self.after(self.steps.len())
    }

    pub(super) fn after(&self, steps: usize) -> &Duel {
        let last = steps.checked_sub(1).and_then(|last| self.steps.get(last));
        last.and_then(|step| step.after.as_ref()).unwrap_or(self.start.duel)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| step.text.as_deref())
    }

    pub(super) fn common_steps(&self) -> usize {
        let same = |(tried, played): &(&StepRecord, &StepRecord)| tried.text.is_some() && tried.text == played.text;
        self.steps.iter().zip(self.start.played).take_while(same).count()
    }

    /// The real step to compare with a step of the variation: the one in the same place if the same parties moved in
    /// it, otherwise the one where the variation left the match.
    pub(super) fn compared_step(&self, at: usize) -> usize {
        let movers = |step: &StepRecord| step.moves.as_ref().map(Option::is_some);
        let (tried, played) = (self.steps.get(at).map(movers), self.start.played.get(at).map(movers));
        if played.is_none() || tried == played { at } else { self.common_steps() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.steps.len() >= LINES_MAX
    }

    /// The real answer to this question: a seat's, while the variation follows the match; the host's, if the next draw
    /// for the same purpose is also allowed here.
    pub(super) fn as_played(&self, ask: &Ask, party: Party) -> Option<&'h str> {
        let line = match party {
            Party::Host => self.as_drawn(&ask.what)?,
            Party::Seat(seat) => {
                self.start.visible.seat_line(self.next_played().filter(|step| answers(step, ask))?, seat)?
            }
        };
        self.duel().read(party, &ask.what, line).is_ok().then_some(line)
    }

    pub(super) fn was_answered(&self, ask: &Ask) -> bool {
        self.next_played().is_some_and(|step| match ask.to {
            To::Host => step.public.starts_with("host:"),
            _ => answers(step, ask),
        })
    }

    fn next_played(&self) -> Option<&'h StepRecord> {
        let played = self.start.played;
        played.get(self.steps.len()).filter(|_| self.common_steps() == self.steps.len())
    }

    fn as_drawn(&self, what: &str) -> Option<&'h str> {
        let (draws, before) = self.start.draws(what);
        let is_draw = |(at, step): &(usize, &StepRecord)| {
            step.public.starts_with("host:") && host_question(self.after(*at)).is_some_and(|asked| asked == what)
        };
        let tried = self.steps.iter().enumerate().filter(is_draw).count();
        draws.get(before.saturating_add(tried)).copied()
    }
}

fn answers(step: &StepRecord, ask: &Ask) -> bool {
    let both = step.moves.p1.is_some() && step.moves.p2.is_some();
    let fits = match ask.to {
        To::Both => both,
        To::One(seat) => !both && step.moves[seat].is_some(),
        To::Host => false,
    };
    fits && (step.what.is_empty() || ask.what == *step.what)
}

#[cfg(test)]
mod tests {
    use engine::Seat;
    use record::History;

    use super::*;
    use crate::played::Book as Played;
    use app::views::Beat;

    fn fixture(name: &str) -> History {
        let path = format!("{}/../../fixtures/matches/{name}.dmn", env!("CARGO_MANIFEST_DIR"));
        Played::imported(&std::fs::read_to_string(path).unwrap()).history()
    }

    fn trick() -> History {
        fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi")
    }

    fn deal() -> History {
        fixture("devils-deal/blooming-genius/no-chips-5-p2-ilse-marlowe")
    }

    /// The result for an address with these lines.
    fn with_variation<T>(
        history: &History,
        row: &str,
        beat: Beat,
        given: &[&str],
        then: impl FnOnce(&Variation<'_, '_>) -> T,
    ) -> T {
        let start = Start::of(history, row, beat).unwrap();
        let parameters: Vec<_> = given.iter().map(|line| ("line".to_owned(), (*line).to_owned())).collect();
        then(&Variation::of(&start, &lines(&parameters, 100).unwrap()))
    }

    fn texts(variation: &Variation<'_, '_>) -> Vec<String> {
        variation.texts().map(str::to_owned).collect()
    }

    #[test]
    fn a_round_in_which_both_chose_is_tried_with_other_choices() {
        let history = trick();
        with_variation(&history, "1", Beat::Before, &["claim / steal block:claim", "2. g / sc"], |variation| {
            assert!(variation.refused.is_none(), "{:?}", variation.refused);
            assert_eq!(texts(variation), ["1. claim / steal block:claim", "2. grow / score"]);
            let told: Vec<_> = variation.steps[0].effects.iter().map(|effect| effect.text.as_str()).collect();
            assert!(told.iter().any(|text| text.contains("Claim failed")), "{told:?}");
            assert_eq!(variation.common_steps(), 0);
            let ask = &variation.duel().asks()[0];
            assert_eq!(variation.as_played(ask, Seat::P1.into()), None, "the line has left that of the match");
        });
        // The state after round 2 is the one before round 3.
        with_variation(&history, "2", Beat::After, &["3. score steal / claim"], |variation| {
            assert_eq!(variation.common_steps(), 1);
            let ask = &variation.duel().asks()[0];
            assert_eq!(variation.as_played(ask, Seat::P1.into()), Some("grow block:grow"));
            assert_eq!(variation.as_played(ask, Seat::P2.into()), Some("score block:steal"));
        });
    }

    #[test]
    fn the_first_line_that_the_rules_refuse_ends_the_line() {
        with_variation(
            &trick(),
            "3",
            Beat::Choices,
            &["score / claim", "score / nonsense", "grow / claim"],
            |variation| {
                let refused = variation.refused.as_ref().unwrap();
                assert_eq!((variation.steps.len(), refused.typed.as_str()), (1, "score / nonsense"));
                assert_eq!(refused.error.found, "nonsense");
                assert_eq!(refused.rest, ["grow / claim"]);
            },
        );
        for (line, why) in [
            ("umpire: result p1 because I say so", "Only moves and draws"),
            ("7. score / claim", "Round 3 comes now."),
            ("score block:? / claim", ""),
            ("\u{43e}\u{447}\u{43a}\u{438} / \u{5d0}", ""),
            ("score\nclaim", ""),
            ("host: deal R1", ""),
        ] {
            with_variation(&trick(), "3", Beat::Before, &[line], |variation| {
                let refused = variation.refused.as_ref().unwrap_or_else(|| panic!("{line} was played"));
                assert!(refused.error.text.starts_with(why), "{line}: {:?}", refused.error);
            });
        }
    }

    #[test]
    fn real_draws_are_offered_and_nothing_is_drawn() {
        let history = deal();
        let drawn = |variation: &Variation<'_, '_>| {
            let ask = variation.duel().asks().into_iter().find(|ask| ask.to == To::Host).unwrap();
            variation.as_played(&ask, Party::Host).map(str::to_owned)
        };
        let row = history.rows().remove(0).label;
        let start = Start::of(&history, &row, Beat::Before).unwrap();
        let dealt = start.draws("deal").0[0].to_owned();
        let first = format!("host: {dealt}");
        // Both stand where one of them took more cards: the community card still comes.
        let stood = [first.as_str(), "p2: start p2", "p2: stand", "p1: stand"];
        with_variation(&history, &row, Beat::Before, &stood, |variation| {
            assert!(variation.refused.is_none(), "{:?}", variation.refused);
            assert_eq!(variation.common_steps(), 2);
            // The match went on with an offer, so the steps are compared with that.
            assert_eq!([1, 2, 3].map(|at| variation.compared_step(at)), [1, 2, 2]);
            assert_eq!(drawn(variation).as_deref(), Some("community B7"));
            let line = format!("host: {}", drawn(variation).unwrap());
            assert!(variation.try_line(&line).is_ok());
        });
        // A card that was assigned by hand cannot also be placed by the host.
        let history = fixture("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe");
        let assigned = ["p1: colour pink", "p2: assign A square B1 B9 B6"];
        with_variation(&history, &row, Beat::Before, &assigned, |variation| {
            assert!(variation.refused.is_none(), "{:?}", variation.refused);
            assert!(variation.start.draws("place").0[0].starts_with("place A"));
            assert_eq!(drawn(variation), None);
        });
    }

    #[test]
    fn a_row_of_turns_can_be_left_at_any_of_its_steps() {
        let history = fixture("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe");
        let row = history.rows().into_iter().find(|row| row.round == 1).unwrap().label;
        with_variation(&history, &row, Beat::Before, &[], |variation| {
            let first = variation.start.visible.line(&variation.start.played[0]).to_owned();
            assert!(variation.try_line(&first).is_ok(), "{first}");
        });
        with_variation(&history, &row, Beat::Before, &["p1: board B second"], |variation| {
            assert!(variation.refused.is_none(), "{:?}", variation.refused);
            assert!(!variation.duel().asks().is_empty());
        });
    }

    #[test]
    fn a_match_that_runs_is_refused_and_so_is_a_row_that_is_none() {
        let mut played = Played::opened("five-card-trick/dm-colosseum-2", None, engine::BySeat { p1: &[], p2: &[] });
        played.plays("1. score / claim");
        let refused = Start::of(&played.history(), "1", Beat::Before).unwrap_err();
        assert_eq!(refused.status(), 403);
        played.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
        assert_eq!(Start::of(&played.history(), "1", Beat::Before).unwrap_err().status(), 403, "until it is entered");
        played.ends();
        let history = played.history();
        assert!(Start::of(&history, "1", Beat::Before).is_ok());
        assert_eq!(Start::of(&history, "9", Beat::Before).unwrap_err().status(), 404);
        with_variation(&history, "1", Beat::After, &["grow / grow"], |variation| {
            assert!(variation.refused.as_ref().unwrap().error.text.contains("over"), "the umpire had decided");
        });
    }

    #[test]
    fn an_address_has_limits() {
        let given = |count: usize, length: usize| vec![("line".to_owned(), "x".repeat(length)); count];
        assert_eq!(lines(&given(40, 9), 400).unwrap().len(), 40);
        assert_eq!(lines(&given(41, 9), 400), Err(LimitError::Lines(41)));
        assert_eq!(lines(&given(1, 1241), 1300), Err(LimitError::Line(1, 1241)));
        assert_eq!(lines(&given(1, 9), 7_501), Err(LimitError::Query(7_501)));
        let blank = [("line".to_owned(), " ".to_owned()), ("other".to_owned(), "x".to_owned())];
        assert_eq!(lines(&blank, 20), Ok(Vec::new()));
    }
}
