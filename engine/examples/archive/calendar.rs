//! The pairings of the archive, with their places and dates.

use engine::BySeat;

use crate::player::{Player, Style};

const PLAYERS: [Player; 14] = [
    player("Juniper", Style::Builder),
    player("Okapi", Style::Even),
    player("Marlowe", Style::Thief),
    player("Tindra", Style::Greedy),
    player("Quill", Style::Blocker),
    player("Bastion", Style::Even),
    player("Noor", Style::Builder),
    player("hex_appeal", Style::Thief),
    player("Saffron", Style::Greedy),
    player("Wren", Style::Mirror),
    player("Dr. Pelican", Style::Blocker),
    player("Ilse", Style::Even),
    player("kestrel", Style::Greedy),
    player("O'Malley", Style::Mirror),
];

const fn player(name: &'static str, style: Style) -> Player {
    Player { name, style }
}

/// A tournament: its first day, the rulesets that it hosted with the number of matches of each, and its players.
struct Event {
    name: &'static str,
    first: (u32, u32, u32),
    hosted: &'static [(&'static str, usize)],
    players: [usize; 8],
    staged: bool,
}

const ZEROS: &str = "five-card-trick/zeros-gauntlet";
const FINAL: &str = "five-card-trick/zeros-gauntlet-final";
const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2";
const LEGENDS: &str = "five-card-trick/legends-untold";
const PUZZLER: &str = "five-card-trick/genius-puzzler";
const THREE: &str = "three-card/simply-genius";
const THWART: &str = "thwart-13/dm-colosseum-2";
const THWART_LEGENDS: &str = "thwart-13/legends-untold";
const DEAL: &str = "devils-deal/blooming-genius";
const HIGHER: &str = "higher-lower/tempo-up";

const EVENTS: [Event; 11] = [
    Event {
        name: "Lantern Cup 2019",
        first: (2019, 9, 14),
        hosted: &[(ZEROS, 7)],
        players: [0, 1, 2, 3, 4, 5, 6, 7],
        staged: true,
    },
    Event {
        name: "Masters' Table 2020",
        first: (2020, 11, 6),
        hosted: &[(FINAL, 8)],
        players: [1, 0, 4, 2, 8, 3, 5, 9],
        staged: false,
    },
    Event {
        name: "Two Towers 2021",
        first: (2021, 5, 1),
        hosted: &[(COLOSSEUM, 8)],
        players: [4, 1, 6, 8, 10, 9, 0, 11],
        staged: true,
    },
    Event {
        name: "Sandglass 2022",
        first: (2022, 3, 18),
        hosted: &[(LEGENDS, 6)],
        players: [2, 9, 12, 7, 1, 10, 8, 3],
        staged: true,
    },
    Event {
        name: "Paper Crown 2023",
        first: (2023, 7, 8),
        hosted: &[(PUZZLER, 6), (THREE, 5)],
        players: [11, 4, 13, 0, 9, 12, 6, 2],
        staged: false,
    },
    Event {
        name: "Masters' Table 2024",
        first: (2024, 10, 11),
        hosted: &[(FINAL, 99), (ZEROS, 99)],
        players: [9, 4, 1, 11, 8, 0, 13, 10],
        staged: false,
    },
    Event {
        name: "Winter Duels 2025",
        first: (2025, 1, 17),
        hosted: &[(COLOSSEUM, 99), (LEGENDS, 99)],
        players: [12, 13, 2, 4, 7, 11, 5, 1],
        staged: true,
    },
    Event {
        name: "Lantern Cup 2026",
        first: (2026, 2, 7),
        hosted: &[(PUZZLER, 99), (THREE, 99)],
        players: [0, 9, 4, 12, 13, 1, 3, 11],
        staged: false,
    },
    Event {
        name: "Two Towers 2022",
        first: (2022, 5, 7),
        hosted: &[(THWART, 99)],
        players: [4, 10, 1, 0, 8, 6, 11, 9],
        staged: true,
    },
    Event {
        name: "Sandglass 2024",
        first: (2024, 3, 15),
        hosted: &[(THWART_LEGENDS, 99), (HIGHER, 5)],
        players: [9, 2, 7, 12, 10, 3, 1, 8],
        staged: true,
    },
    Event {
        name: "Orchard Games 2025",
        first: (2025, 8, 22),
        hosted: &[(DEAL, 99), (HIGHER, 99)],
        players: [13, 0, 5, 9, 4, 12, 11, 2],
        staged: false,
    },
];

/// The event, the day and the players of a match.
pub(crate) struct Date {
    pub(crate) event: &'static str,
    pub(crate) day: String,
    pub(crate) pairing: BySeat<Player>,
    pub(crate) stage: Option<String>,
}

/// Assigns events and days, one match after another.
pub(crate) struct Calendar {
    /// The number of matches of each ruleset that each event already has.
    taken: Vec<Vec<usize>>,
}

impl Calendar {
    pub(crate) fn new() -> Self {
        Self { taken: EVENTS.iter().map(|event| vec![0; event.hosted.len()]).collect() }
    }

    /// The event and day of the next match of the ruleset.
    pub(crate) fn place(&mut self, ruleset: &str) -> Date {
        for (event, taken) in EVENTS.iter().zip(&mut self.taken) {
            let hosted = event.hosted.iter().position(|(hosted, most)| {
                let at = event.hosted.iter().position(|(other, _)| other == hosted);
                *hosted == ruleset && at.is_some_and(|at| taken[at] < *most)
            });
            if let Some(hosted) = hosted {
                taken[hosted] += 1;
                // Two rulesets of one event take turns.
                let n = (taken[hosted] - 1) * event.hosted.len() + hosted;
                return event.date(n);
            }
        }
        panic!("no event hosts {ruleset}")
    }
}

impl Event {
    fn date(&self, n: usize) -> Date {
        // Every pairing of eight players once, neighbours first, then again with the seats changed.
        let (apart, from) = (1 + n / 8 % 7, n % 8);
        let pair = [self.players[from], self.players[(from + apart) % 8]];
        let [p1, p2] = if n.is_multiple_of(2) { pair } else { [pair[1], pair[0]] };
        Date {
            event: self.name,
            day: day(self.first, n as u32 * 3 + n as u32 % 2),
            pairing: BySeat { p1: PLAYERS[p1], p2: PLAYERS[p2] },
            stage: self.staged.then(|| format!("Death Match {}", n + 1)),
        }
    }
}

/// The day this many days later, as text.
fn day((mut year, mut month, first): (u32, u32, u32), later: u32) -> String {
    let mut day = first + later;
    loop {
        let long = match month {
            2 if year.is_multiple_of(4) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if day <= long {
            return format!("{year}-{month:02}-{day:02}");
        }
        day -= long;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
}
