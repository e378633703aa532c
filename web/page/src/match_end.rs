//! The end of a match on the page of a seat or of a spectator: who won, why, how it went, and what can be done now.

use app::views::Highlights;
use askama::Template;
use engine::{BySeat, Outcome, Seat, Verdict};
use record::History;
use record::words::{result_sentence, sentence};

use super::{HighlightList, Lead, SeatName, Urls};
use web_http::ViewParams;

#[derive(Debug, Template)]
#[template(path = "match_end.html")]
pub struct MatchEnd {
    kind: &'static str,
    verdict: String,
    title: String,
    why: String,
    confirmed: bool,
    event: String,
    winner: Option<Seat>,
    /// Whose page it is; nobody's for spectators.
    seat: Option<Seat>,
    names: BySeat<String>,
    score: Option<BySeat<i32>>,
    lead: Option<Lead>,
    highlights: Option<HighlightList>,
    slug: String,
}

impl MatchEnd {
    #[must_use]
    pub fn of(history: &History, seat: Option<Seat>) -> Option<Self> {
        let outcome = history.outcome();
        if !outcome.is_over() {
            return None;
        }
        let is_void = matches!(outcome, Outcome::Over(ending) if ending.verdict == Verdict::Void);
        let winner = outcome.winner();
        let names = history.both_names();
        let (kind, verdict) = match (winner, seat) {
            (Some(winner), Some(seat)) if winner == seat => ("won", "You won".to_owned()),
            (Some(_), Some(_)) => ("lost", "You lost".to_owned()),
            (Some(winner), None) => ("won", format!("{} wins", names[winner])),
            (None, _) if is_void => ("drawn", "The match does not count".to_owned()),
            (None, _) => ("drawn", "Nobody won".to_owned()),
        };
        let score = winner.and_then(|winner| score(history, winner));
        let first = seat.or(winner).unwrap_or(Seat::P1);
        let title = score
            .map_or_else(|| verdict.clone(), |score| format!("{verdict} {} to {}", score[first], score[first.other()]));
        let why = history.ending_ruling().map_or_else(|| result_sentence(outcome, names), sentence);
        let (rows, seats) = (history.rows(), SeatName::of(history));
        let urls = Urls::of(history.match_id, ViewParams::default());
        Some(Self {
            kind,
            verdict,
            title,
            why,
            confirmed: history.is_ended(),
            event: history.event.as_ref().map(|event| event.or("").to_owned()).unwrap_or_default(),
            winner,
            seat,
            names: BySeat::from_fn(|seat| names[seat].to_owned()),
            score,
            lead: Lead::of(&rows, [&seats.p1, &seats.p2]),
            highlights: HighlightList::of(&Highlights::of(history), names, history.ruleset(), &urls),
            slug: app::slug(history.match_id),
        })
    }
}

/// Both seats' first figures; none if the winner has no more of it, because it did not decide.
fn score(history: &History, winner: Seat) -> Option<BySeat<i32>> {
    let figures = history.duel().figures();
    let first = figures.iter().find(|figure| figure.seat.is_some())?.name.clone();
    let of = |seat| figures.iter().find(|figure| figure.name == first && figure.seat == Some(seat));
    let (p1, p2) = (of(Seat::P1)?.value, of(Seat::P2)?.value);
    let score = BySeat { p1, p2 };
    (score[winner] > score[winner.other()]).then_some(score)
}
