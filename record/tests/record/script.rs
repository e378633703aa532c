//! Matches as `fixtures/verdicts` tells them: a line for each act of an umpire, a player, the host or a clock.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use engine::dmn::Replay;
use engine::games::declared::Declaration;
use engine::{BySeat, Seat, Setup, SplitMix64, Verdict};
use ledger::Field;
use record::body::{LinkAct, ReplacedOpening, ReplacedSubmission, SeatWord};
use record::write::{self, NewEntries, NewMatch, ShareOpening, WriteContext, WriteError};
use record::{History, Secret, Secrets};

use crate::book::{Book, archive, new_match, shelf};
use crate::outages::after;
use crate::{rounds, seeds};

/// A block of a fixture: the lines between two empty ones, without its comments.
pub(crate) struct Block {
    /// `match` or `case`.
    pub(crate) word: String,
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

/// The blocks of all files, by the name of the file.
pub(crate) static FILES: LazyLock<BTreeMap<String, Vec<Block>>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/verdicts");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path.file_stem().unwrap().display().to_string(), text.split("\n\n").filter_map(Block::read).collect())
    };
    paths.map(read).collect()
});

thread_local! {
    /// The matches that were played already.
    static KNOWN: RefCell<BTreeMap<String, Book>> = const { RefCell::new(BTreeMap::new()) };
}

impl Block {
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned);
        let first = lines.next()?;
        let (word, name) = first.split_once(' ').unwrap_or_else(|| panic!("{first}: a match or a case"));
        Some(Self { word: word.to_owned(), name: name.to_owned(), lines: lines.collect() })
    }
}

fn seat(word: &str) -> Seat {
    word.parse().unwrap_or_else(|_| panic!("{word}: p1 or p2"))
}

/// A move of each seat, `-` for one that sends nothing.
fn moves(text: &str) -> [(Seat, &str); 2] {
    let (p1, p2) = text.split_once(" / ").unwrap_or_else(|| panic!("{text}: two moves"));
    [(Seat::P1, p1), (Seat::P2, p2)]
}

/// The opening of a match of the shelf, with the host's draws where it says so.
fn declared(file: &str, draws: &str) -> NewMatch {
    let file = shelf().into_iter().find(|known| known.name == format!("{file}.dmn")).unwrap();
    let setup = Replay::open(&file.text).unwrap().tags().setup.clone();
    NewMatch { setup, ..new_match(format!("recorded declared/1 {draws}").trim_end()) }
}

/// The opening of a match of a game, its lines between bars, with the host's draws where it says so.
fn game(lines: &str, draws: &str) -> NewMatch {
    let game = Declaration::read(lines.split(" | ")).unwrap_or_else(|fault| panic!("{lines}: {fault}"));
    let new = new_match(format!("recorded declared/1 {draws}").trim_end());
    let setup = Setup { declared: Some(Arc::new(game)), ..new.setup.clone() };
    NewMatch { setup, ..new }
}

/// A match that needs more than lines.
fn built(name: &str) -> Book {
    match name {
        "published round" => rounds::published(),
        "waived round" => rounds::waived(),
        "unknown beacon" => rounds::unknown(),
        _ => panic!("{name}: no match of the fixtures"),
    }
}

impl Book {
    /// The match of this name in the fixtures.
    pub(crate) fn of(name: &str) -> Self {
        let mut blocks = FILES.values().flatten();
        let known = KNOWN.with_borrow(|known| known.get(name).cloned());
        known.unwrap_or_else(|| {
            let block = blocks.find(|block| block.word == "match" && block.name == name);
            let book = block.map_or_else(|| built(name), |block| Self::new().follows(&block.lines));
            KNOWN.with_borrow_mut(|known| known.insert(name.to_owned(), book.clone()));
            book
        })
    }

    /// Goes on with these lines.
    pub(crate) fn follows<L: AsRef<str>>(mut self, lines: &[L]) -> Self {
        for line in lines {
            self.follow(line.as_ref());
        }
        self
    }

    /// Does what a line says. A line that begins with none of these words is a step.
    fn follow(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, text) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "from" => *self = Self::of(rest),
            "opens" => self.begins(&new_match(rest)),
            "declares" => self.begins(&declared(first, text)),
            "game" => self.begins(&game(rest, "")),
            "drawn-game" => self.begins(&game(rest, "draws")),
            "imports" => {
                let file = archive().into_iter().find(|file| file.name.contains(rest)).unwrap();
                *self = Self::imported(&file.text);
            }
            "past" => *self = Self::imported(&format!("{}\n", rest.replace('|', "\n"))),
            "registers" => self.registers(seat(first), text.parse().unwrap()).unwrap(),
            "player" => drop(self.registers_player(first.parse().unwrap())),
            "rotates" => self.rotates(first.parse().unwrap()),
            "revokes" => self.revokes(first.parse().unwrap(), text.parse().unwrap()),
            "vouches" => {
                let (session, player) = text.split_once(' ').unwrap();
                self.vouches(seat(first), session.parse().unwrap(), player.parse().unwrap());
            }
            "sends" => self.sends(seat(first), text),
            "passes" => self.passes(first.parse().unwrap()),
            "notes" => self.notes(rest),
            "rules" => {
                let verdict = match first {
                    "nothing" => None,
                    "void" => Some(Verdict::Void),
                    "undecided" => Some(Verdict::Undecided),
                    winner => Some(Verdict::Won(seat(winner))),
                };
                self.rules(text, verdict);
            }
            "strikes" => self.strikes(first.parse().unwrap(), text),
            "corrects" => {
                let step: u32 = first.parse().unwrap();
                let was = self.history().steps[step as usize - 1].text.clone();
                match (text.strip_prefix("p1 "), text.strip_prefix("p2 ")) {
                    (None, None) if text == "as it was" => self.corrects_line(step, &was.unwrap()),
                    (None, None) => self.corrects_line(step, text),
                    (p1, p2) => self.corrects(step, p1, p2),
                }
            }
            "ends" => self.ends(),
            "seals" => drop(self.seals(first, &moves(text))),
            "resolves" => {
                let decision = self.history().seals.last().unwrap().decision.clone();
                self.resolves_by(&decision, rest != "without witnesses");
            }
            "finals" => self.finals = BySeat { p1: rest.contains("p1"), p2: rest.contains("p2") },
            "closes" => self.closes(self.finals, &moves(rest)),
            _ => self.follow_clock(line),
        }
    }

    /// Acts of umpires around a game.
    fn follow_clock(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, text) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "runs" => self.runs().unwrap(),
            "pauses" => self.pauses(rest).unwrap(),
            "gives" => {
                let (seconds, reason) = text.split_once(' ').unwrap();
                self.gives(first, seconds.parse().unwrap(), reason).unwrap();
            }
            "spends" => {
                let decision = self.history().open[0].asked.decision.clone();
                self.spends(decision.as_str()).unwrap();
            }
            "warns" => self.warns(seat(first), text).unwrap(),
            "admits" => {
                let (seat_word, reason) = text.split_once(' ').unwrap();
                self.admits(first, seat(seat_word), reason).unwrap();
            }
            "objects" => {
                let (step, text) = text.split_once(' ').unwrap();
                self.objects(seat(first), step.parse().unwrap(), text).unwrap();
            }
            "answers" => {
                let objection = self.history().open_objections().next().unwrap().entry;
                self.answers(objection, rest).unwrap();
            }
            "hands" => self.hands(&first.parse().unwrap(), text).unwrap(),
            "away" => {
                let times: Vec<f64> = rest.split(' ').map(|second| second.parse().unwrap()).collect();
                self.is_away(&times.chunks_exact(2).map(|outage| (outage[0], outage[1])).collect::<Vec<_>>());
            }
            "records" => self.does(|context, history, _| write::go_on_recorded(context, history, None, rest)),
            "links" => {
                let mut words = rest.split(' ');
                let mut next = || words.next().unwrap();
                let (by, seat, link) = (next().parse().unwrap(), seat(next()), next().parse().unwrap());
                let act = match next() {
                    "made" => LinkAct::Made,
                    "followed" => LinkAct::Followed,
                    _ => LinkAct::Refused,
                };
                self.does(|context, history, _| {
                    context.by = by;
                    write::link(context, history, seat, link, act)
                });
            }
            _ => self.follow_draw(line),
        }
    }

    /// Draws of the host, and the steps of a game.
    fn follow_draw(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "asks" => self.does(|context, history, _| write::ask_shares(context, history)),
            "lists" => {
                let [(_, p1), (_, p2)] = moves(rest);
                self.lists(BySeat { p1, p2 });
            }
            "opens-shares" => {
                let seats: Vec<Seat> = rest.split_whitespace().map(seat).collect();
                self.opens(&seats).unwrap();
            }
            // They came half a minute ago, before the time was up.
            "opened-shares" => {
                let earlier = |opening: ShareOpening| ShareOpening { came: after(opening.came, -30.0), ..opening };
                let seats = rest.split_whitespace().map(seat);
                let opened: Vec<ShareOpening> = seats.map(|seat| earlier(self.opening(seat))).collect();
                self.lists_openings(&opened).unwrap();
            }
            "seeds" => self.seeds(),
            "draws" => self.draws_by_key(),
            "gathers" => {
                self.does(|context, history, _| write::begin_shares(context, history, Some("1.8"), rest));
                self.does(write::host_share);
            }
            "random" => {
                let (seed, steps) = rest.split_once(' ').unwrap();
                let mut numbers = SplitMix64(seed.parse().unwrap());
                seeds::plays(self, &mut numbers, steps.parse().unwrap());
            }
            _ => self.plays(line),
        }
    }

    /// A seat sends what does not count. It is shown at the end.
    fn sends(&mut self, seat: Seat, text: &str) {
        let (history, mut prepared) = (self.history(), None);
        let decision = history.open[0].asked.decision.clone();
        self.does(|context, history, _| {
            prepared = write::prepare(context, history, &decision, seat, text)?;
            Ok(NewEntries::default())
        });
        let prepared = prepared.unwrap();
        let opening =
            |(field, secret): (Field, Secret)| ReplacedOpening { field, key: secret.key.to_hex(), value: secret.value };
        self.replaced.push(ReplacedSubmission {
            decision,
            seat: SeatWord(seat),
            ordinal: 0,
            came: history.last_at,
            commitments: prepared.commitments,
            is_final: false,
            signature: None,
            openings: prepared.secrets.into_iter().map(opening).collect(),
        });
    }

    /// An act that nothing refuses.
    fn does(&mut self, act: impl FnOnce(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>) {
        self.writes(act).unwrap();
    }
}
