//! A position of a match for each kind of question of every game.

use anyhow::{Context, Result};
use engine::{Seat, SplitMix64};
use record::share::SHARE;

use super::forms::DEALT;
use super::hidden::plays;
use super::table::{RULESET, Table};
use crate::site::Site;

/// A position of a match in which a seat is asked something.
pub(super) struct Position {
    pub(super) name: &'static str,
    pub(super) ruleset: &'static str,
    /// Fields of the form that opens the match.
    opened: &'static [(&'static str, &'static str)],
    steps: Vec<String>,
    pub(super) seat: Seat,
    /// The kinds of questions that are measured.
    pub(super) kinds: &'static [&'static str],
    /// A long move; empty for the longest that random play finds.
    sends: &'static str,
}

impl Position {
    fn of(name: &'static str, ruleset: &'static str, seat: Seat, kinds: &'static [&'static str]) -> Self {
        let opened = &[("draws", "umpire"), ("event", "Cup")];
        Self { name, ruleset, opened, steps: Vec::new(), seat, kinds, sends: "" }
    }

    fn after(self, steps: &[&str]) -> Self {
        Self { steps: steps.iter().map(|&step| step.to_owned()).collect(), ..self }
    }

    pub(super) async fn table(&self) -> Result<Table> {
        let (site, clocks) = (Site::seeded("a live match").await?, self.opened.contains(&("early", "on")));
        let table = Table::set(site, self.ruleset, clocks, &["p1", "p2"], self.opened).await?;
        let id = table.site.app.matches.match_of(&table.slug).await?;
        for line in &self.steps {
            plays(&table, id, line).await.with_context(|| line.clone())?;
        }
        Ok(table)
    }

    /// The move that is sent before it is measured again.
    pub(super) async fn moves(&self, table: &Table, what: &str) -> Result<String> {
        let (history, mut numbers) = (table.history().await?, SplitMix64(7));
        if !self.sends.is_empty() || what == SHARE {
            return Ok(self.sends.to_owned());
        }
        let samples = (0..40).filter_map(|_| history.duel().sample(self.seat, what, &mut numbers));
        samples.max_by_key(String::len).with_context(|| format!("no move for {what}"))
    }
}

const FINAL: &str = "five-card-trick/zeros-gauntlet-final";
const THWART: &str = "thwart-13/dm-colosseum-2";
const DEAL: &str = "devils-deal/blooming-genius";
const BOARDS: &str = "higher-lower/tempo-up";
/// All fifty cards, in their order in each group, as they lie on the boards of `placed`.
const ASSIGNED: &str = "assign A circle A1 A4 A7 A10 | A triangle B2 B5 B8 | A square E2 E5 E8 | B circle A2 A5 A8 | \
                        B triangle B1 B4 B7 B10 | B square C2 C5 C8 | C circle B3 B6 B9 | C triangle D2 D5 D8 | \
                        C square C1 C4 C7 C10 | D circle D1 D4 D7 D10 | D triangle C3 C6 C9 | D square E3 E6 E9 | \
                        E circle A3 A6 A9 | E triangle E1 E4 E7 E10 | E square D3 D6 D9";

pub(super) fn actions() -> Vec<Position> {
    let steps = ["score score / grow grow", "claim claim / steal score", "score block:claim / grow grow"];
    let early = &[("early", "on"), ("event", "Cup")];
    let item = &[("item-claim-priority", "p1"), ("event", "Cup")];
    let five = Position::of("five", RULESET, Seat::P1, &["round"]).after(&["score / grow", "score / grow"]);
    let window = Position::of("window", FINAL, Seat::P1, &["claim-priority", "round"]);
    vec![
        Position { sends: "score block:claim", ..five },
        Position { opened: early, ..Position::of("early", RULESET, Seat::P1, &["round"]) },
        Position::of("final", FINAL, Seat::P1, &["round"]).after(&steps),
        Position { opened: item, ..window.after(&["score claim / claim grow"]) },
        Position::of("three", "three-card/simply-genius", Seat::P1, &["round"])
            .after(&["grow / claim", "claim / steal grow"]),
    ]
}

pub(super) fn hands() -> Vec<Position> {
    let selects = ["TH / 2C", "back / front", "9D / 3C", "middle / front"];
    let position =
        |name, kinds, more: &[&str]| Position::of(name, THWART, Seat::P1, kinds).after(&[&selects[..], more].concat());
    vec![
        position("thwart-select", &["select", "challenge"], &[]),
        position("thwart-action", &["action"], &["KS / QS"]),
        position("thwart-answer", &["answer"], &["p2: challenge"]),
    ]
}

pub(super) fn piles() -> Vec<Position> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let offered = [&DEALT[..], &["p1: refill", offer]].concat();
    let divided = [&offered[..], &["p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7"]].concat();
    let left = [&offered[..], &["p1: divide B9 | G8 G1 | aside R7 G2"]].concat();
    let stood = [&DEALT[..], &["p1: stand", "p2: stand", "host: community R5"]].concat();
    let shown = [&stood[..], &["G5 R2 / B3 R8"]].concat();
    let position = |name, seat, kinds, steps: &[&str]| Position::of(name, DEAL, seat, kinds).after(steps);
    vec![
        Position { opened: &[], ..position("deal-share", Seat::P1, &["share"], &[]) },
        position("deal-start", Seat::P2, &["start"], &DEALT[..1]),
        position("deal-refill", Seat::P1, &["refill"], &DEALT),
        position("deal-divide", Seat::P1, &["divide"], &offered),
        position("deal-discard", Seat::P1, &["discard"], &divided),
        position("deal-take", Seat::P2, &["take"], &left),
        position("deal-private", Seat::P1, &["private"], &stood),
        position("deal-bet", Seat::P1, &["bet"], &shown),
    ]
}

pub(super) fn boards() -> Vec<Position> {
    let placed = super::forms::placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let laid = [&["p2: colour cyan"], &placed[..]].concat();
    let first = [&laid[..], &["p2: board A first"]].concat();
    let turned = [&first[..], &["p2: turn a1"]].concat();
    let position = |name, seat, kinds, steps: &[&str]| Position::of(name, BOARDS, seat, kinds).after(steps);
    vec![
        Position { opened: &[], ..position("boards-share", Seat::P1, &["share"], &[]) },
        position("boards-colour", Seat::P2, &["colour"], &[]),
        Position { sends: ASSIGNED, ..position("boards-assign", Seat::P1, &["assign"], &["p2: colour pink"]) },
        position("boards-board", Seat::P2, &["board"], &laid),
        position("boards-turn", Seat::P2, &["turn"], &first),
        position("boards-guess", Seat::P2, &["guess"], &turned),
    ]
}
