//! Five-Card Trick a second time, by tables and written from the rule posts alone, against the engine: all joint moves
//! of a round, in every ruleset, after many courses of play.
//!
//! It shares nothing with the engine: actions are letters, a seat is an index, and nothing is kept that a referee would
//! not write down.

extern crate matchbook_engine as engine;

use engine::{Duel, Seat, Setup, Sight};

const ACTIONS: [char; 5] = ['s', 'g', 'c', 't', 'b'];

/// How a hosting takes submissions.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Hosting {
    /// Exactly two different ones, or it is illegal; a round that both miss is replayed.
    Exact,
    /// Exactly two, perhaps the same; three with Overload.
    Doubles,
    /// Up to two; what breaks a limit is disregarded.
    Free,
}

/// What a seat sends.
#[derive(Clone, Default, Debug)]
struct Sent {
    missing: bool,
    actions: Vec<char>,
    target: Option<char>,
    overload: bool,
    reset: bool,
}

/// What a referee keeps for one seat.
#[derive(Clone, Default, PartialEq, Debug)]
struct Side {
    chips: u32,
    lights: Vec<char>,
    barred: Option<char>,
    last: Vec<char>,
    before: Vec<char>,
    counted: Vec<char>,
}

#[derive(Clone, PartialEq, Debug)]
struct Board {
    round: u32,
    pot: u32,
    sides: [Side; 2],
}

/// Who takes the pot, by what acts: Claim and Steal of the first seat, then of the second. Two Claims, or two Steals,
/// never act together: they would have met.
const POT: [(&str, Option<usize>); 9] = [
    ("-- --", None),
    ("c- --", Some(0)),
    ("-t --", None),
    ("ct --", Some(0)),
    ("-- c-", Some(1)),
    ("-- -t", None),
    ("-- ct", Some(1)),
    ("c- -t", Some(1)),
    ("-t c-", Some(0)),
];

/// Whether an action acts, by copies of one's own and of the other seat's; the rows are one's own, 0 to 2.
const MAJORITY: [[bool; 3]; 3] = [[false, false, false], [true, false, false], [true, true, false]];

fn copies(of: char, list: &[char]) -> usize {
    list.iter().filter(|action| **action == of).count()
}

fn two_of(list: &[char]) -> Vec<[char; 2]> {
    let mut all = Vec::new();
    for (n, first) in list.iter().enumerate() {
        for second in &list[n + 1..] {
            all.push(if first < second { [*first, *second] } else { [*second, *first] });
        }
    }
    all
}

/// What of a submission counts; none where it is illegal.
fn counting(hosting: Hosting, side: &Side, sent: &Sent) -> Option<Vec<char>> {
    if sent.missing {
        return Some(Vec::new());
    }
    let actions = &sent.actions;
    let third = |action: &char| side.last.contains(action) && side.before.contains(action);
    let same_two = two_of(actions).iter().any(|two| two_of(&side.last).contains(two));
    let untargeted = actions.contains(&'b') && sent.target.is_none();
    let twice = ACTIONS.iter().any(|action| copies(*action, actions) > 1);
    let fine = |legal: bool| legal.then(|| actions.clone());
    match hosting {
        Hosting::Exact => fine(actions.len() == 2 && !twice && !untargeted && !same_two && !actions.iter().any(third)),
        Hosting::Doubles => {
            let number = actions.len() == if sent.overload { 3 } else { 2 };
            let three_alike = ACTIONS.iter().any(|action| copies(*action, actions) == 3);
            let banned = actions.iter().any(|action| copies(*action, &side.last) == 2);
            let limits = !banned && !same_two && !actions.iter().any(third);
            fine(number && !three_alike && !untargeted && (sent.reset || limits))
        }
        Hosting::Free if actions.len() > 2 || twice => None,
        Hosting::Free => {
            let written: Vec<char> = actions.iter().copied().filter(|action| *action != 'b' || !untargeted).collect();
            // The pair limit is on two actions of which both counted.
            let same_two = written.len() == 2 && two_of(&written) == two_of(&side.last);
            Some(written.into_iter().filter(|action| !third(action) && !same_two).collect())
        }
    }
}

impl Board {
    fn new() -> Self {
        Self { round: 0, pot: 1, sides: Default::default() }
    }

    /// The board after a round; none where a submission is illegal.
    fn play(&self, hosting: Hosting, sent: [&Sent; 2]) -> Option<Self> {
        let counted = [counting(hosting, &self.sides[0], sent[0])?, counting(hosting, &self.sides[1], sent[1])?];
        if hosting == Hosting::Exact && sent[0].missing && sent[1].missing {
            return Some(self.clone());
        }
        let acts = |seat: usize, action: char| {
            let [own, other] = [seat, 1 - seat].map(|seat| copies(action, &counted[seat]));
            MAJORITY[own][other] && self.sides[seat].barred != Some(action)
        };
        let mut next = self.clone();
        next.round += 1;
        for seat in 0..2 {
            let side = &mut next.sides[seat];
            side.chips += u32::from(acts(seat, 's'));
            next.pot += u32::from(acts(seat, 'g'));
            side.lights = ACTIONS
                .into_iter()
                .filter(|action| side.lights.contains(action) || counted[seat].contains(action))
                .collect();
            side.before = if sent[seat].reset { Vec::new() } else { side.last.clone() };
            side.last.clone_from(&counted[seat]);
            side.counted = ACTIONS.into_iter().flat_map(|a| vec![a; copies(a, &counted[seat])]).collect();
            side.barred = sent[1 - seat].target.filter(|_| acts(1 - seat, 'b'));
        }
        let letter = |seat, action| if acts(seat, action) { action } else { '-' };
        let row: String = [letter(0, 'c'), letter(0, 't'), ' ', letter(1, 'c'), letter(1, 't')].iter().collect();
        let (_, taker) = POT.iter().find(|(known, _)| *known == row).unwrap_or_else(|| panic!("{row}"));
        if let Some(taker) = *taker {
            next.sides[taker].chips += next.pot;
            next.pot = 1;
        }
        for side in &mut next.sides {
            if side.lights.len() == 5 {
                side.lights.clear();
                side.chips += 1;
            }
        }
        Some(next)
    }

    /// The state object of the notation.
    fn state(&self, words: &dyn Fn(char) -> &'static str) -> String {
        let list = |of: fn(&Side) -> &[char]| {
            let one = |side| of(side).iter().map(|a| format!("\"{}\"", words(*a))).collect::<Vec<_>>().join(",");
            format!("{{\"p1\":[{}],\"p2\":[{}]}}", one(&self.sides[0]), one(&self.sides[1]))
        };
        let [p1, p2] = &self.sides;
        let barred = |side: &Side| side.barred.map_or("null".to_owned(), |action| format!("\"{}\"", words(action)));
        format!(
            "{{\"round\":{},\"pot\":{},\"chips\":{{\"p1\":{},\"p2\":{}}},\"lights\":{},\"blocked\":{{\"p1\":{},\"p2\":{}}},\"counted\":{}",
            self.round,
            self.pot,
            p1.chips,
            p2.chips,
            list(|side| &side.lights),
            barred(p1),
            barred(p2),
            list(|side| &side.counted),
        )
    }
}

impl Sent {
    fn text(&self, words: &dyn Fn(char) -> &'static str) -> String {
        if self.missing {
            return "-".to_owned();
        }
        let word = |action: &char| match (action, self.target) {
            ('b', Some(target)) => format!("block:{}", words(target)),
            _ => words(*action).to_owned(),
        };
        let mut all: Vec<String> = self.actions.iter().map(word).collect();
        if all.is_empty() {
            all.push("nothing".to_owned());
        }
        all.extend(self.overload.then(|| "+overload".to_owned()));
        all.extend(self.reset.then(|| "+limit-reset".to_owned()));
        all.join(" ")
    }
}

/// Everything that can be sent, legal or not, with each target of a Block and with none.
fn all_sent(hosting: Hosting) -> Vec<Sent> {
    let mut lists: Vec<Vec<char>> = ACTIONS.iter().map(|action| vec![*action]).collect();
    if hosting == Hosting::Free {
        lists.push(Vec::new());
    }
    for (n, first) in ACTIONS.iter().enumerate() {
        lists.extend(ACTIONS[n..].iter().map(|second| vec![*first, *second]));
    }
    let mut all = vec![Sent { missing: true, ..Sent::default() }];
    for actions in lists {
        let targets = if actions.contains(&'b') { 5 } else { 0 };
        let targets = ACTIONS[..targets].iter().copied().map(Some).chain([None]);
        all.extend(targets.map(|target| Sent { actions: actions.clone(), target, ..Sent::default() }));
    }
    all
}

/// What only the first seat of the final sends here: three actions, or two without limits.
fn with_items() -> Vec<Sent> {
    let mut all = Vec::new();
    for (n, first) in ACTIONS.iter().enumerate() {
        for (m, second) in ACTIONS.iter().enumerate().skip(n) {
            let two = Sent { actions: vec![*first, *second], target: Some('c'), reset: true, ..Sent::default() };
            all.push(two);
            for third in &ACTIONS[m..] {
                let actions = vec![*first, *second, *third];
                let three = Sent { actions, target: Some('s'), overload: true, ..Sent::default() };
                all.extend([Sent { reset: true, ..three.clone() }, three]);
            }
        }
    }
    // A target is only said where there is a Block.
    all.iter_mut().filter(|sent| !sent.actions.contains(&'b')).for_each(|sent| sent.target = None);
    all
}

struct Course<'c> {
    hosting: Hosting,
    duel: Duel,
    board: Board,
    words: &'c dyn Fn(char) -> &'static str,
    compared: usize,
}

impl Course<'_> {
    /// Plays both, and compares; none where both refuse it.
    fn play(&mut self, sent: [&Sent; 2]) -> Option<(Duel, Board)> {
        let line = format!("{} / {}", sent[0].text(self.words), sent[1].text(self.words));
        let mut duel = self.duel.clone();
        let played = duel.play(&line, None);
        let board = self.board.play(self.hosting, sent);
        self.compared += 1;
        match (played, board) {
            (Ok(_), Some(board)) => {
                let state = duel.state(Sight::Everything);
                let expected = board.state(self.words);
                assert!(state.starts_with(&expected), "{line} after {:?}\n{state}\n{expected}", self.board);
                Some((duel, board))
            }
            (Err(_), None) => None,
            (Ok(_), None) => panic!("the engine takes {line}, and it is illegal after {:?}", self.board),
            (Err(refusal), Some(_)) => panic!("the engine refuses {line} after {:?}: {refusal}", self.board),
        }
    }
}

/// Walks some rounds at random, always the same way.
fn walk(course: &mut Course<'_>, moves: &[Sent], rounds: u32, seed: u64) {
    let mut chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        chance ^= chance >> 12;
        chance ^= chance << 25;
        chance ^= chance >> 27;
        (chance >> 33) as usize % moves.len()
    };
    let mut left = rounds;
    while left > 0 {
        if let Some((duel, board)) = course.play([&moves[next()], &moves[next()]]) {
            (course.duel, course.board) = (duel, board);
            left -= 1;
        }
    }
}

/// Compares all joint moves after so many courses of play, and says how many there were.
fn compare(ruleset: &str, hosting: Hosting, words: &dyn Fn(char) -> &'static str, courses: u32) {
    let mut setup = Setup { ruleset: ruleset.to_owned(), dmo: Some(Seat::P1), ..Setup::default() };
    if hosting == Hosting::Doubles {
        setup.items.p1 = vec!["overload".to_owned(), "limit-reset".to_owned()];
    }
    let moves = all_sent(hosting);
    let mut compared = 0;
    for n in 0..courses {
        let (duel, board) = (Duel::open(&setup).unwrap(), Board::new());
        let mut course = Course { hosting, duel, board, words, compared: 0 };
        walk(&mut course, &moves, n % 7, u64::from(n) + 1);
        for first in &moves {
            for second in &moves {
                course.play([first, second]);
            }
        }
        if hosting == Hosting::Doubles {
            with_items_too(&mut course, &moves, n);
        }
        compared += course.compared;
    }
    println!("{ruleset}: {compared} rounds compared");
}

/// The items, against every third answer; and after each of them the round after, where Limit Reset still tells.
fn with_items_too(course: &mut Course<'_>, moves: &[Sent], n: u32) {
    let back = (course.duel.clone(), course.board.clone());
    for (m, first) in with_items().iter().enumerate() {
        for second in moves.iter().skip((m + n as usize) % 3).step_by(3) {
            let Some(next) = course.play([first, second]) else { continue };
            if m % 9 == n as usize % 9 && second.actions == ['s', 'c'] {
                (course.duel, course.board) = next;
                for third in moves {
                    course.play([third, &moves[0]]);
                }
                (course.duel, course.board) = back.clone();
            }
        }
    }
}

const fn word(action: char) -> &'static str {
    match action {
        's' => "score",
        'g' => "grow",
        'c' => "claim",
        't' => "steal",
        _ => "block",
    }
}

#[test]
fn zeros_gauntlet() {
    compare("five-card-trick/zeros-gauntlet", Hosting::Exact, &word, 40);
}

#[test]
fn the_final() {
    compare("five-card-trick/zeros-gauntlet-final", Hosting::Doubles, &word, 30);
}

#[test]
fn dm_colosseum_2() {
    compare("five-card-trick/dm-colosseum-2", Hosting::Free, &word, 40);
}

#[test]
fn legends_untold() {
    compare(
        "five-card-trick/legends-untold",
        Hosting::Free,
        &|action| if action == 'g' { "raise" } else { word(action) },
        25,
    );
}

#[test]
fn genius_puzzler() {
    compare("five-card-trick/genius-puzzler", Hosting::Free, &word, 25);
}
