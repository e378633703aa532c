//! A referee's tables: the actions that count, the actions that take effect, and the seat that takes the pot. Actions
//! are letters, a seat is an index.

pub(crate) const ACTIONS: [char; 5] = ['s', 'g', 'c', 't', 'b'];

/// The rules of a hosting for submissions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Hosting {
    /// Exactly two different actions, or it is illegal; a round that both miss is replayed.
    Exact,
    /// Exactly two actions, perhaps the same; three with Overload.
    Doubles,
    /// Up to two actions; parts that break a limit are disregarded.
    Free,
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Submission {
    pub(crate) missing: bool,
    pub(crate) actions: Vec<char>,
    pub(crate) target: Option<char>,
    pub(crate) overload: bool,
    pub(crate) reset: bool,
}

/// A referee's notes for one seat.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Side {
    pub(crate) chips: u32,
    pub(crate) lights: Vec<char>,
    pub(crate) barred: Option<char>,
    pub(crate) last: Vec<char>,
    pub(crate) before: Vec<char>,
    pub(crate) counted: Vec<char>,
    /// Overload, Claim Priority and Limit Reset, if it still holds them.
    pub(crate) items: Vec<&'static str>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Board {
    pub(crate) round: u32,
    pub(crate) pot: u32,
    pub(crate) sides: [Side; 2],
    /// The seat that may take the pot of two Claims that met.
    pub(crate) window: Option<usize>,
}

/// The seat that takes the pot, by the actions that take effect: Claim and Steal of the first seat, then of the second.
/// Two Claims, or two Steals, never take effect together: they would have met.
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

/// True if an action takes effect, by the seat's own copies (the rows, 0 to 2) and the other seat's copies.
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

/// The actions of a submission that count; none if it is illegal.
fn counting(hosting: Hosting, side: &Side, sent: &Submission) -> Option<Vec<char>> {
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
            // The pair limit applies to two actions that both counted.
            let same_two = written.len() == 2 && two_of(&written) == two_of(&side.last);
            Some(written.into_iter().filter(|action| !third(action) && !same_two).collect())
        }
    }
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { round: 0, pot: 1, sides: Default::default(), window: None }
    }

    /// The board after a round; none if a submission is illegal.
    pub(crate) fn play(&self, hosting: Hosting, sent: [&Submission; 2]) -> Option<Self> {
        for (side, sent) in self.sides.iter().zip(sent) {
            let held = |item, used: bool| !used || side.items.contains(&item);
            if !held("overload", sent.overload) || !held("limit-reset", sent.reset) {
                return None;
            }
        }
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
            side.items.retain(|item| match *item {
                "overload" => !sent[seat].overload,
                "limit-reset" => !sent[seat].reset,
                _ => true,
            });
        }
        // Two Claims met: the pot is still there for Claim Priority, unless a Steal or a bar prevents it.
        let met = [0, 1].map(|seat| copies('c', &counted[seat]));
        next.window = (0..2).find(|seat| {
            self.sides[*seat].items.contains(&"claim-priority")
                && met[0] == met[1]
                && met[0] > 0
                && self.sides[*seat].barred != Some('c')
                && !acts(1 - seat, 't')
        });
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

    /// The board after the window's seat took the pot.
    pub(crate) fn take_the_pot(&self) -> Option<Self> {
        let seat = self.window?;
        let mut next = self.clone();
        next.sides[seat].chips += std::mem::replace(&mut next.pot, 1);
        next.sides[seat].items.retain(|item| *item != "claim-priority");
        next.window = None;
        Some(next)
    }

    /// The state object of the notation.
    pub(crate) fn state(&self, hosting: Hosting, words: &dyn Fn(char) -> &'static str) -> String {
        let list = |of: fn(&Side) -> &[char]| {
            let one = |side| of(side).iter().map(|a| format!("\"{}\"", words(*a))).collect::<Vec<_>>().join(",");
            format!("{{\"p1\":[{}],\"p2\":[{}]}}", one(&self.sides[0]), one(&self.sides[1]))
        };
        let [p1, p2] = &self.sides;
        let barred = |side: &Side| side.barred.map_or("null".to_owned(), |action| format!("\"{}\"", words(action)));
        let items = |side: &Side| side.items.iter().map(|item| format!("\"{item}\"")).collect::<Vec<_>>().join(",");
        let window = self.window.map_or("null", |seat| ["\"p1\"", "\"p2\""][seat]);
        let end = match hosting {
            Hosting::Doubles => {
                format!(",\"items\":{{\"p1\":[{}],\"p2\":[{}]}},\"window\":{window}}}", items(p1), items(p2))
            }
            _ => "}".to_owned(),
        };
        format!(
            "{{\"round\":{},\"pot\":{},\"chips\":{{\"p1\":{},\"p2\":{}}},\"lights\":{},\"blocked\":{{\"p1\":{},\"p2\":{}}},\"counted\":{}{end}",
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

impl Submission {
    pub(crate) fn text(&self, words: &dyn Fn(char) -> &'static str) -> String {
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
