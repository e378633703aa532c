//! A table for tests: opens matches, plays lines, and reads states.

use engine::{Duel, PlayedStep, Refusal, Seat, Setup, Sight};

/// A match with this DMO.
pub(crate) fn open(dmo: Seat) -> Duel {
    let setup = Setup { ruleset: "higher-lower/tempo-up".into(), dmo: Some(dmo), ..Setup::default() };
    Duel::open(&setup).unwrap()
}

/// Plays a line that must be accepted.
pub(crate) fn say(duel: &mut Duel, line: &str) -> PlayedStep {
    duel.play(line, None).unwrap_or_else(|refusal| panic!("{line}: {refusal} in {}", state(duel)))
}

/// Plays a line that must be refused, and must change nothing.
pub(crate) fn refused(duel: &Duel, line: &str) -> Refusal {
    let (mut after, mut effects) = (duel.clone(), Vec::new());
    let refusal = after.play(line, Some(&mut effects)).map(|played| played.text).unwrap_err();
    assert!(effects.is_empty(), "{line}");
    assert_eq!((state(&after), after.view(Sight::Everything)), (state(duel), duel.view(Sight::Everything)), "{line}");
    refusal
}

/// The state with all secrets.
pub(crate) fn state(duel: &Duel) -> String {
    duel.state(Sight::Everything)
}

/// The words of a list in a state.
pub(crate) fn json_list(state: &str, key: &str) -> Vec<String> {
    let (_, from) = state.split_once(&format!("\"{key}\":[")).unwrap();
    let (list, _) = from.split_once(']').unwrap();
    list.split(',').filter(|word| !word.is_empty()).map(|word| word.trim_matches('"').to_owned()).collect()
}

/// An assignment of all fifty cards, each group of one fruit. In the default layout the groups of both colours have the
/// same sizes, so it fits either seat.
pub(crate) const ALL_ASSIGNED: [(&str, &str); 15] = [
    ("A circle", "A1 A2 A3 A4"),
    ("A triangle", "B5 B6 B7"),
    ("A square", "E5 E6 E7"),
    ("B circle", "A5 A6 A7"),
    ("B triangle", "B1 B2 B3 B4"),
    ("B square", "C5 C6 C7"),
    ("C circle", "B8 B9 B10"),
    ("C triangle", "D5 D6 D7"),
    ("C square", "C1 C2 C3 C4"),
    ("D circle", "D1 D2 D3 D4"),
    ("D triangle", "C8 C9 C10"),
    ("D square", "E8 E9 E10"),
    ("E circle", "A8 A9 A10"),
    ("E triangle", "E1 E2 E3 E4"),
    ("E square", "D8 D9 D10"),
];

/// The default layout, as in rules.md.
pub(crate) const LAYOUT: [(&str, &str); 5] = [
    ("A", "go po ct ps go po ct ps co pt cs po go co ps ct po cs pt co go cs pt co go"),
    ("B", "pt cs go co pt cs po ct ps co gt ct go pt gt po cs pt co ps ct po go ps ct"),
    ("C", "cs po ct ps co pt go ps gt po ct ps gs cs pt co gt cs go ct po cs pt co ps"),
    ("D", "po ct ps co pt cs po gt pt cs po gs gs gs co ps ct gt co ps ct po cs pt co"),
    ("E", "ct gt cs po ct ps co pt cs go co pt gs ct po go ps ct po cs pt co ps gt pt"),
];

/// The grey numbers of each board: circles, triangles, squares.
const GREY: [[&[u8]; 3]; 5] = [
    [&[1, 2, 3, 4, 5], &[], &[]],
    [&[1, 3, 5], &[2, 4], &[]],
    [&[1, 3], &[2, 4], &[5]],
    [&[], &[2, 4], &[1, 3, 5]],
    [&[1, 3], &[2, 4], &[5]],
];

/// The 25 backs of a board: the groups of [`ALL_ASSIGNED`] for both seats and the grey cards, each in order row by row.
pub(crate) fn backs(board: usize) -> Vec<String> {
    let (letter, fronts) = LAYOUT[board];
    let grey = GREY[board].map(|numbers| numbers.iter().map(|number| format!("{letter}{number}")).collect::<Vec<_>>());
    let mut next = std::collections::BTreeMap::<&str, usize>::new();
    let mut card = |front: &'static str| {
        let at = next.entry(front).or_default();
        *at += 1;
        let shape = "ots".find(&front[1..]).unwrap();
        if front.starts_with('g') {
            return grey[shape][*at - 1].clone();
        }
        ALL_ASSIGNED[board * 3 + shape].1.split(' ').nth(*at - 1).unwrap().to_owned()
    };
    fronts.split(' ').map(&mut card).collect()
}

/// The line that places a board with these backs.
pub(crate) fn placement(board: usize) -> String {
    format!("host: place {} {}", LAYOUT[board].0, backs(board).join(" "))
}

pub(crate) fn assignment<'g>(groups: impl IntoIterator<Item = &'g (&'g str, &'g str)>) -> String {
    let groups: Vec<String> = groups.into_iter().map(|(group, cards)| format!("{group} {cards}")).collect();
    format!("assign {}", groups.join(" | "))
}

/// A match in which p1 is the DMO and has cyan, before any assignment.
pub(crate) fn coloured() -> Duel {
    let mut duel = open(Seat::P1);
    say(&mut duel, "p1: colour cyan");
    duel
}

/// The same with every board placed as [`backs`] says; p1 chooses the first board.
pub(crate) fn placed() -> Duel {
    let mut duel = coloured();
    (0..5).for_each(|board| drop(say(&mut duel, &placement(board))));
    duel
}
