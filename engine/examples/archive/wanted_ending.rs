//! The endings that the archive must have.

use engine::{BySeat, Seat, Setup};

use crate::player::Style;

/// A match with this ending.
#[derive(Clone, Debug)]
pub(crate) struct WantedEnding {
    pub(crate) ruleset: &'static str,
    /// The final reason.
    pub(crate) reason: &'static str,
    /// The number of rounds. In a game of turns: the largest number, or the number of steps before the umpire stops it;
    /// 0 for any.
    pub(crate) rounds: u32,
    pub(crate) winner: Option<Seat>,
    pub(crate) dmo: Option<Seat>,
    pub(crate) items: BySeat<&'static [&'static str]>,
    /// The style of both, if their own styles would hardly ever end it this way.
    pub(crate) style: Option<Style>,
    /// The umpire's words after the verdict.
    pub(crate) ruling: Option<&'static str>,
    /// The result by the rules before the umpire's; none if the match was still running.
    before: Option<&'static str>,
    void: bool,
}

impl WantedEnding {
    /// True if the umpire stops a running match.
    pub(crate) const fn interrupted(&self) -> bool {
        self.ruling.is_some() && self.before.is_none()
    }

    /// True if the loser gave up, which only a seat that is behind does.
    pub(crate) fn conceded(&self) -> bool {
        self.ruling.is_some_and(|ruling| ruling.starts_with("conceded"))
    }

    /// The result by the rules, before an umpire's: the reason, and the value of the tag `Result`.
    pub(crate) fn by_the_rules(&self) -> (&'static str, &'static str) {
        self.before.map_or((self.reason, self.tag()), |before| (before, "undecided"))
    }

    /// The rounds after which it can end, up to the wanted one.
    pub(crate) fn stages(&self) -> Vec<u32> {
        let first = if self.ruleset.starts_with("three-card") { 20 } else { 25 };
        let examined = (first..self.rounds).step_by(5);
        examined.chain([self.rounds]).collect()
    }

    /// True if the game is played in turns, and not in rounds that are examined.
    pub(crate) fn by_turns(&self) -> bool {
        !self.ruleset.starts_with("five-card-trick") && !self.ruleset.starts_with("three-card")
    }

    pub(crate) fn setup(&self) -> Setup {
        Setup {
            ruleset: self.ruleset.to_owned(),
            options: Vec::new(),
            dmo: self.dmo,
            items: self.items.map(|items| items.iter().map(ToString::to_string).collect()),
            declared: None,
        }
    }

    /// The value of the tag `Result`.
    pub(crate) const fn tag(&self) -> &'static str {
        match self.winner {
            Some(seat) => seat.word(),
            None if self.void => "void",
            None => "undecided",
        }
    }

    fn of(ruleset: &'static str, reason: &'static str, rounds: u32, winner: Option<Seat>) -> Self {
        let needs_dmo = engine::ruleset(ruleset).is_ok_and(|ruleset| ruleset.card().needs_dmo);
        let dmo = if rounds.is_multiple_of(2) { Seat::P1 } else { Seat::P2 };
        let items: BySeat<&[&str]> = BySeat::default();
        let dmo = needs_dmo.then_some(dmo);
        Self { ruleset, reason, rounds, winner, dmo, items, style: None, ruling: None, before: None, void: false }
    }

    fn with_dmo(self, dmo: Seat) -> Self {
        Self { dmo: Some(dmo), ..self }
    }

    fn with_items(self, p1: &'static [&'static str], p2: &'static [&'static str]) -> Self {
        Self { items: BySeat { p1, p2 }, ..self }
    }

    fn ruled(self, ruling: &'static str) -> Self {
        Self { ruling: Some(ruling), ..self }
    }
}

const P1: Option<Seat> = Some(Seat::P1);
const P2: Option<Seat> = Some(Seat::P2);
const OVERLOAD: &str = "overload";
const PRIORITY: &str = "claim-priority";
const RESET: &str = "limit-reset";

pub(crate) fn wanted_endings() -> Vec<WantedEnding> {
    [
        zeros(),
        the_final(),
        colosseum(),
        dmo("five-card-trick/legends-untold"),
        dmo("five-card-trick/genius-puzzler"),
        three(),
        higher_lower(),
        thwart("thwart-13/dm-colosseum-2"),
        thwart("thwart-13/legends-untold"),
        devils_deal(),
    ]
    .concat()
}

fn zeros() -> Vec<WantedEnding> {
    let mut all = dmo("five-card-trick/zeros-gauntlet");
    all.push(WantedEnding::of("five-card-trick/zeros-gauntlet", "more-chips", 25, P2));
    all
}

/// A hosting whose last tie goes to the DMO.
fn dmo(ruleset: &'static str) -> Vec<WantedEnding> {
    let of = |reason, rounds, winner| WantedEnding::of(ruleset, reason, rounds, winner);
    vec![
        of("more-chips", 25, P1),
        of("more-chips", 25, P2),
        of("more-chips", 30, P2),
        of("dmo", 40, P1).with_dmo(Seat::P1),
        of("umpire", 11, P2).ruled("the other player left the server and did not come back"),
        of("more-chips", 25, P1),
        of("more-chips", 35, P1),
        of("more-chips", 40, P2),
        of("umpire", 19, P1).ruled("conceded in public, being too far behind"),
        of("dmo", 40, P2).with_dmo(Seat::P2),
        of("umpire", 7, None).ruled("the host's connection failed; to be decided by the organisers"),
        WantedEnding {
            void: true,
            ..of("umpire", 3, None).ruled("a submission was shown to the wrong channel; to be replayed")
        },
    ]
}

fn the_final() -> Vec<WantedEnding> {
    let of = |reason, rounds, winner| WantedEnding::of("five-card-trick/zeros-gauntlet-final", reason, rounds, winner);
    vec![
        of("more-chips", 25, P1).with_items(&[OVERLOAD], &[PRIORITY, RESET]),
        of("more-chips", 25, P2).with_items(&[OVERLOAD, RESET], &[PRIORITY]),
        of("more-chips", 30, P1).with_items(&[PRIORITY, RESET], &[OVERLOAD]),
        of("more-items", 50, P1).with_items(&[OVERLOAD, PRIORITY], &[RESET]),
        of("more-chips", 35, P2).with_items(&[PRIORITY], &[]),
        of("umpire", 14, P1)
            .with_items(&[RESET], &[OVERLOAD, PRIORITY])
            .ruled("conceded: the pot cannot make up for it"),
        of("more-chips", 40, P2).with_items(&[], &[OVERLOAD, PRIORITY, RESET]),
        of("equal-items", 50, None).with_items(&[OVERLOAD], &[PRIORITY]),
        of("more-chips", 45, P1).with_items(&[OVERLOAD, PRIORITY, RESET], &[]),
        of("more-chips", 50, P2).with_items(&[RESET], &[OVERLOAD, PRIORITY]),
        of("more-items", 50, P2).with_items(&[], &[PRIORITY]),
        of("umpire", 22, P2).with_items(&[OVERLOAD], &[RESET]).ruled("walkover: did not come back from the break"),
        of("equal-items", 50, None),
        of("more-chips", 25, P1).with_items(&[PRIORITY, OVERLOAD, RESET], &[]),
        of("umpire", 9, None)
            .with_items(&[PRIORITY], &[OVERLOAD, RESET])
            .ruled("suspended overnight and never resumed"),
        WantedEnding {
            void: true,
            ..of("umpire", 2, None)
                .with_items(&[OVERLOAD], &[PRIORITY, RESET])
                .ruled("the items had been dealt wrongly")
        },
    ]
}

fn colosseum() -> Vec<WantedEnding> {
    let of = |reason, rounds, winner| WantedEnding::of("five-card-trick/dm-colosseum-2", reason, rounds, winner);
    let standoff = |wanted| WantedEnding { style: Some(Style::Wary), ..wanted };
    vec![
        of("more-chips", 25, P1),
        of("more-chips", 25, P2),
        of("more-chips", 30, P1),
        of("last-taker", 50, P1),
        of("more-chips", 35, P2),
        of("umpire", 17, P2).ruled("conceded in public"),
        standoff(of("nobody-took-the-pot", 50, None)),
        of("more-chips", 40, P1),
        of("more-chips", 25, P2).with_dmo(Seat::P1),
        of("last-taker", 50, P2),
        of("more-chips", 45, P2),
        of("more-chips", 50, P1),
        of("umpire", 12, P1).ruled("walkover: the other player was not seen again after the break"),
        WantedEnding {
            before: Some("nobody-took-the-pot"),
            ..standoff(of("umpire", 50, P2))
                .ruled("sudden death by agreement of both players, played in one extra round")
        },
        of("umpire", 6, None).ruled("power failure; the players agreed to leave it open"),
        WantedEnding { void: true, ..of("umpire", 1, None).ruled("started before the rules had been read out") },
    ]
}

fn three() -> Vec<WantedEnding> {
    let of = |reason, rounds, winner| WantedEnding::of("three-card/simply-genius", reason, rounds, winner);
    vec![
        of("more-chips", 20, P1),
        of("more-chips", 20, P2),
        of("more-chips", 25, P1),
        of("dmo", 25, P2).with_dmo(Seat::P2),
        of("umpire", 8, P1).ruled("conceded in public"),
        of("more-chips", 20, P2),
        of("more-chips", 25, P2),
        of("dmo", 25, P1).with_dmo(Seat::P1),
        of("umpire", 13, P2).ruled("walkover: did not come back from the break"),
        of("umpire", 5, None).ruled("both players asked for another evening"),
        WantedEnding { void: true, ..of("umpire", 2, None).ruled("the wrong ruleset had been announced") },
    ]
}

/// A game of turns: each way of ending for both seats, and an umpire's word for each verdict.
fn turns(ruleset: &'static str, won: &[(&'static str, u32)], none: &[&'static str]) -> Vec<WantedEnding> {
    let of = |reason, rounds, winner| WantedEnding::of(ruleset, reason, rounds, winner);
    let mut all = Vec::new();
    for (n, (reason, rounds)) in won.iter().enumerate() {
        for winner in [P1, P2] {
            let wanted = of(reason, *rounds, winner);
            // If a DMO is needed, each seat is the DMO in turn.
            let dmo = if n.is_multiple_of(2) { Seat::P1 } else { Seat::P2 };
            all.push(WantedEnding { dmo: wanted.dmo.map(|_| dmo), ..wanted });
        }
    }
    all.extend(none.iter().map(|reason| of(reason, 0, None)));
    all
}

fn thwart(ruleset: &'static str) -> Vec<WantedEnding> {
    let of = |steps, winner| WantedEnding::of(ruleset, "umpire", steps, winner);
    let won = ["challenge-failed", "opponent-invalid", "challenge-met", "more-hands"].map(|reason| (reason, 0));
    let mut all = turns(ruleset, &won, &["both-invalid", "equal-hands"]);
    all.push(of(31, P1).ruled("conceded in public"));
    all.push(of(22, P2).ruled("walkover: the other player was not seen again after the break"));
    all.push(of(17, None).ruled("both players asked for another evening"));
    all.push(WantedEnding { void: true, ..of(5, None).ruled("a card was missing from the list of those available") });
    all
}

fn devils_deal() -> Vec<WantedEnding> {
    let ruleset = "devils-deal/blooming-genius";
    let of = |steps, winner| WantedEnding::of(ruleset, "umpire", steps, winner);
    let won = ["no-private-cards", "no-chips", "no-ante", "no-penalty"].map(|reason| (reason, 0));
    let mut all = turns(ruleset, &won, &[]);
    all.push(of(34, P2).ruled("conceded in public"));
    all.push(of(27, P1).ruled("walkover: did not come back from the break"));
    all.push(of(19, None).ruled("the host's connection failed; to be decided by the organisers"));
    all.push(WantedEnding {
        void: true,
        ..of(12, None).ruled("private cards were shown to the wrong channel; to be replayed")
    });
    all
}

fn higher_lower() -> Vec<WantedEnding> {
    let ruleset = "higher-lower/tempo-up";
    let of = |steps, winner| WantedEnding::of(ruleset, "umpire", steps, winner);
    let mut all = turns(ruleset, &[("three-boards", 5), ("three-boards", 4), ("three-boards", 3)], &[]);
    all.push(of(64, P2).ruled("the other player left during the second board and did not come back"));
    all.push(of(90, P1).ruled("walkover: did not come back from the break"));
    all.push(of(41, None).ruled("the host's cards fell from the table; to be decided by the organisers"));
    all.push(WantedEnding { void: true, ..of(7, None).ruled("a placement had been seen by both players") });
    all
}
