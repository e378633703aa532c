//! Laws over random seeds, results and sizes.

use std::collections::{HashMap, HashSet};

use super::bracket::{Part, Side, Tie, bracket};
use super::pools::{all_play_all, standings};
use super::swiss::{Pair, next_round};
use super::*;
use crate::archive::{ListedName, MatchSummary};

/// Random numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(most).unwrap()).unwrap()
    }
}

fn played(dice: &mut Dice, [one, other]: [Seed; 2]) -> Meeting {
    let players = if dice.below(2) == 0 { [one, other] } else { [other, one] };
    let outcome = match dice.below(8) {
        0 => Outcome::Undecided,
        n => Outcome::WonBy(if n % 2 == 0 { one } else { other }),
    };
    Meeting { players, outcome }
}

/// The one who is left, once all is played.
fn champion(ties: &[Tie]) -> Option<Seed> {
    let last = ties.last()?;
    let waits = last.part == Part::GrandFinal && last.met.winner == Some(Seat::P2);
    match last.winner() {
        Side::Known(seed) if !waits => Some(seed),
        _ => None,
    }
}

fn names_of(ties: &[Tie]) -> HashSet<Seed> {
    let sides = ties.iter().flat_map(|tie| [tie.sides.p1, tie.sides.p2]);
    sides.filter_map(|side| if let Side::Known(seed) = side { Some(seed) } else { None }).collect()
}

#[test]
fn a_bracket_ends_with_one_winner_and_everybody_else_has_lost_as_often_as_they_may() {
    for (entrants, two_lives, seed) in (2..=33).flat_map(|n| [false, true].map(|lives| (n, lives, n as u64))) {
        for game in 1..5 {
            let (mut dice, mut meetings) = (Dice(seed * 977 + game), Vec::new());
            loop {
                let ties = bracket(entrants, two_lives, &meetings);
                assert_eq!(names_of(&ties).len(), entrants, "everybody has a place");
                let open: Vec<_> =
                    ties.iter().filter(|tie| tie.met.winner.is_none()).filter_map(Tie::players).collect();
                if open.is_empty() {
                    let lost = |seed: Seed| {
                        let with = |one: &&Meeting| one.players.contains(&seed) && one.outcome != Outcome::Undecided;
                        meetings.iter().filter(with).filter(|one| one.outcome != Outcome::WonBy(seed)).count()
                    };
                    let lives = if two_lives { 2 } else { 1 };
                    let winner = champion(&ties).expect("a winner");
                    assert!(lost(winner) < lives, "{entrants} {two_lives}");
                    for seed in (0..entrants).map(Seed).filter(|seed| *seed != winner) {
                        assert_eq!(lost(seed), lives, "{seed:?} of {entrants}, two lives: {two_lives}");
                    }
                    break;
                }
                assert_eq!(champion(&ties), None);
                assert!(meetings.len() < 400, "{entrants} play for ever");
                // Any order of the matches that can be played.
                let BySeat { p1, p2 } = open[dice.below(open.len())];
                meetings.push(played(&mut dice, [p1, p2]));
            }
        }
    }
}

#[test]
fn byes_are_for_the_best_and_the_first_two_meet_in_the_final() {
    let ties = bracket(6, false, &[]);
    let first: Vec<_> = ties.iter().filter(|tie| tie.part == Part::Upper(0)).map(|tie| tie.sides).collect();
    let known = |seed| Side::Known(Seed(seed));
    assert_eq!(first.len(), 4);
    assert_eq!(first[0], BySeat { p1: known(0), p2: Side::Bye });
    assert_eq!(first[2], BySeat { p1: known(1), p2: Side::Bye });
    assert!(
        first.contains(&BySeat { p1: known(3), p2: known(4) })
            && first.contains(&BySeat { p1: known(2), p2: known(5) })
    );
    let favourites = |entrants| {
        let mut meetings = Vec::new();
        while let Some(players) =
            bracket(entrants, false, &meetings).iter().filter(|tie| tie.met.winner.is_none()).find_map(Tie::players)
        {
            let winner = players.p1.min(players.p2);
            meetings.push(Meeting { players: [players.p1, players.p2], outcome: Outcome::WonBy(winner) });
        }
        meetings.last().map(|last| last.players)
    };
    assert!((2..=33).all(|entrants| favourites(entrants) == Some([Seed(0), Seed(1)])));
}

#[test]
fn a_running_match_decides_nothing_and_a_drawn_one_is_played_again() {
    let players = [Seed(0), Seed(1)];
    let meetings = [Meeting { players, outcome: Outcome::Undecided }, Meeting { players, outcome: Outcome::Running }];
    let ties = bracket(2, false, &meetings);
    assert_eq!(ties[0].met, Met { place: Some(1), winner: None, is_running: true });
}

#[test]
fn in_a_pool_everybody_meets_everybody_once() {
    for entrants in 2..=33 {
        let rounds = all_play_all(entrants);
        let mut met = HashSet::new();
        for round in &rounds {
            let players: HashSet<_> = round.iter().flatten().collect();
            assert_eq!(players.len(), round.len() * 2, "nobody is twice in a round");
            met.extend(round.iter().map(|[one, other]| (one.min(other).0, one.max(other).0)));
        }
        assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), met.len());
        assert_eq!(met.len(), entrants * (entrants - 1) / 2);
    }
}

/// The most pairs of these who have not met, tried one by one.
fn fresh_pairs(left: &[Seed], met: &HashSet<(Seed, Seed)>) -> usize {
    let Some((first, others)) = left.split_first() else { return 0 };
    let partners = (0..others.len()).filter(|at| !met.contains(&(*first, others[*at])));
    let with = partners.map(|at| {
        let mut rest = others.to_vec();
        rest.remove(at);
        1 + fresh_pairs(&rest, met)
    });
    with.chain([fresh_pairs(others, met)]).max().unwrap_or(0)
}

#[test]
fn swiss_rounds_keep_their_laws() {
    for entrants in 2..=33_usize {
        let mut dice = Dice(entrants as u64 * 31 + 7);
        let (mut rounds, mut meetings, mut met) = (Vec::<Vec<Pair>>::new(), Vec::new(), HashSet::new());
        for _ in 0..(entrants + 1).min(if entrants < 9 { 9 } else { 7 }) {
            let byes: Vec<Seed> =
                rounds.iter().flatten().filter(|pair| pair.other.is_none()).map(|pair| pair.one).collect();
            let round = next_round(&standings(entrants, &meetings, &byes), &rounds);
            let players: Vec<Seed> = round.iter().flat_map(|pair| pair.other.into_iter().chain([pair.one])).collect();
            assert_eq!((players.len(), players.iter().collect::<HashSet<_>>().len()), (entrants, entrants));
            let bye: Vec<Seed> = round.iter().filter(|pair| pair.other.is_none()).map(|pair| pair.one).collect();
            assert_eq!(bye.len(), entrants % 2);
            let mut had: HashMap<Seed, usize> = HashMap::new();
            byes.iter().chain(&bye).for_each(|seed| *had.entry(*seed).or_default() += 1);
            assert!(had.values().all(|n| *n <= rounds.len() / entrants + 1), "one bye each, before anybody has two");
            let again =
                round.iter().filter(|pair| pair.other.is_some_and(|other| met.contains(&(pair.one, other)))).count();
            if entrants < 9 {
                let rest: Vec<Seed> = players.iter().copied().filter(|seed| !bye.contains(seed)).collect();
                assert_eq!(again, rest.len() / 2 - fresh_pairs(&rest, &met), "{entrants}, round {}", rounds.len());
            } else {
                assert_eq!(again, 0, "{entrants}, round {}", rounds.len());
            }
            for pair in &round {
                let Some(other) = pair.other else { continue };
                met.extend([(pair.one, other), (other, pair.one)]);
                meetings.push(played(&mut dice, [pair.one, other]));
            }
            rounds.push(round);
        }
        let byes: Vec<Seed> =
            rounds.iter().flatten().filter(|pair| pair.other.is_none()).map(|pair| pair.one).collect();
        let table = standings(entrants, &meetings, &byes);
        let total: u32 = table.iter().map(Standing::half_points).sum();
        assert_eq!(total as usize, 2 * (meetings.len() + byes.len()), "every match gives one point");
        assert!(table.is_sorted_by(|one, other| one.half_points() >= other.half_points()));
    }
}

#[test]
fn the_cast_is_in_the_order_of_their_going_once_it_is_told() {
    let member = |name: &str, evening: Option<u16>| CastMember {
        name: name.to_owned(),
        out: evening.map(|evening| Out { evening: Some(evening), by: String::new() }),
        ..CastMember::default()
    };
    let evening = |n| Evening { title: format!("Evening {n}"), ..Evening::default() };
    let order = |sheet: &EventSheet| sheet.ordered_cast().iter().map(|member| member.name.clone()).collect::<Vec<_>>();
    let cast = vec![member("Dov", None), member("bo", None), member("Ada", None)];
    let silent = EventSheet { cast, evenings: vec![evening(1), evening(2)], ..EventSheet::default() };
    assert_eq!(order(&silent), ["Ada", "bo", "Dov"]);
    let cast = vec![member("Ada", Some(1)), member("Bo", Some(2)), member("Cy", None), member("Dov", None)];
    let told = EventSheet { cast, winner: Some("DOV".into()), ..silent.clone() };
    assert_eq!((order(&told), told.errors()), (["Dov", "Cy", "Bo", "Ada"].map(str::to_owned).to_vec(), Vec::new()));
    assert_eq!(told.changes(&silent), ["cast", "winner"]);
}

#[test]
fn a_sheet_that_contradicts_itself_is_refused_by_part() {
    let member = |name: &str| CastMember { name: name.to_owned(), ..CastMember::default() };
    let out = Some(Out { evening: Some(3), by: "Eve".into() });
    let sheet = EventSheet {
        about: "a\u{202e}b".into(),
        cast: vec![member("Ada"), member("ADA"), CastMember { out, ..member("Bo") }],
        winner: Some("Zoe".into()),
        evenings: vec![Evening { date: "2026-02-31".into(), recording: "javascript:1".into(), ..Evening::default() }],
        format: Format::Swiss,
        groups: vec![vec!["Ada".into(), "ada".into()]],
        rounds: vec![vec![Pairing { one: "Cy".into(), other: None }]],
    };
    let parts: Vec<_> = sheet.errors().into_iter().map(|(part, _)| part).collect();
    assert_eq!(parts, ["about", "evenings", "evenings", "cast", "cast", "winner", "cast", "plan", "plan"]);
    let bare = EventSheet { format: Format::Pools, ..EventSheet::default() };
    assert_eq!(bare.errors().len(), 1);
}

#[test]
fn a_withdrawn_name_leaves_the_sheet_and_no_seed_moves() {
    let member = |name: &str, by: &str| CastMember {
        name: name.to_owned(),
        out: Some(Out { evening: None, by: by.to_owned() }),
        ..CastMember::default()
    };
    let pair = |one: &str, other: &str| Pairing { one: one.to_owned(), other: Some(other.to_owned()) };
    let sheet = EventSheet {
        cast: vec![member("Ada", ""), member("Bo", "ADA")],
        winner: Some("Ada".into()),
        format: Format::Swiss,
        groups: vec![vec!["Cy".into(), "Ada".into(), "Bo".into()]],
        rounds: vec![vec![pair("Ada", "Bo")]],
        ..EventSheet::default()
    };
    let without = sheet.without_names(&|name| name.eq_ignore_ascii_case("ada")).unwrap();
    assert!(!without.lines().iter().any(|line| line.to_lowercase().contains("ada")), "{without:?}");
    assert_eq!(without.groups, [["Cy", "(withdrawn, seed 2)", "Bo"]]);
    assert_eq!(without.rounds[0][0], pair("(withdrawn, seed 2)", "Bo"));
    assert_eq!((without.cast.len(), without.errors(), sheet.without_names(&|_| false)), (1, Vec::new(), None));
}

#[test]
fn a_plan_finds_its_matches_and_turns_their_scores() {
    let named = |name: &str| ListedName { name: name.to_owned(), key: Some(name.to_lowercase()) };
    let played = |p1: &str, p2: &str, result: &str| MatchSummary {
        p1: named(p1),
        p2: named(p2),
        result: result.to_owned(),
        score_p1: Some(3),
        score_p2: Some(1),
        ..MatchSummary::default()
    };
    // The newest first: a void match counts for nothing, and neither does one with somebody else.
    let matches = [played("Dov", "Ada", "p1"), played("Ada", "Zoe", "p2"), played("Dov", "Ada", "void")];
    let groups = vec![["Ada", "Bo", "Cy", "Dov"].map(str::to_owned).to_vec()];
    let sheet = EventSheet { format: Format::SingleElimination, groups, ..EventSheet::default() };
    let plan = sheet.plan(&matches).unwrap();
    let first = &plan.rounds[0].bouts[0];
    assert_eq!((first.found, first.winner, first.scores), (Some(0), Some(Seat::P2), Some(BySeat { p1: 1, p2: 3 })));
    assert_eq!((first.ready(), plan.rounds[0].bouts[1].ready()), (None, Some(["Bo", "Cy"])));
    assert_eq!(plan.rounds[1].bouts[0].sides, BySeat { p1: Slot::Named("Dov".into()), p2: Slot::Open });
    assert_eq!(plan.rounds.iter().map(|round| round.title.as_str()).collect::<Vec<_>>(), ["Semi-finals", "Final"]);
    let pools = EventSheet { format: Format::Pools, ..sheet }.plan(&matches).unwrap();
    let table: Vec<_> = pools.tables[0].rows.iter().map(|(name, row)| (name.as_str(), row.points())).collect();
    assert_eq!(table[0], ("Dov", "1".to_owned()));
    assert_eq!(pools.rounds[0].bouts.len(), 6);
}
