//! Declarations, steps and damage, drawn at random.

use std::sync::Arc;

use engine::games::declared::{Announcement, Audience, Declaration, Fault, HandId, Owner, Part, Phase, SetKind, Table};
use engine::{Seat, SplitMix64, Stream};

pub(super) fn chance(stream: &mut SplitMix64, one_in: u64) -> bool {
    stream.below(one_in) == 0
}

pub(super) fn any<'l, T>(stream: &mut SplitMix64, list: &'l [T]) -> &'l T {
    &list[usize::try_from(stream.below(list.len() as u64)).unwrap()]
}

fn number(stream: &mut SplitMix64, least: i64, most: i64) -> i64 {
    least + i64::try_from(stream.below((most - least + 1) as u64)).unwrap()
}

/// Names of questions, also such as look like those of other things.
const NAMES: [[&str; 3]; 2] = [["ask0", "ask1", "ask2"], ["step-by-step-plan", "step-1-p1-ask", "card-0"]];
const TEXTS: [&str; 5] = ["\"p1: a\"", "\"note:  * ?\"", "\"*\"", "\"1. a / b\"", "\" \\\" \""];

/// A declaration that reads, as lines.
pub(super) fn lines(stream: &mut SplitMix64) -> Vec<String> {
    let mut lines = Vec::new();
    if chance(stream, 2) {
        lines.push(r#"title A game; of "any" kind / \ [1]"#.to_owned());
        lines.push("source https://example.org/rules?a=1#b".to_owned());
    }
    let counters = counters(stream, &mut lines);
    let (mut draws, cards) = sets(stream, &mut lines);
    let hands = if cards > 0 { number(stream, 0, 3) } else { 0 };
    let mut seen = Vec::new();
    for n in 0..hands {
        let owner = *any(stream, &["each", "shared"]);
        let hidden = if chance(stream, 2) { " hidden" } else { "" };
        if owner == "each" || hidden.is_empty() {
            seen.push(n);
        }
        let of = if chance(stream, 3) { " of (A B B 7..9)" } else { "" };
        lines.push(format!("hand zone{n} {owner}{hidden}{of}"));
    }
    let boards = number(stream, 0, 2);
    for n in 0..boards {
        lines.push(format!("board grid{n} {}x{}", number(stream, 1, 26), number(stream, 1, 26)));
    }
    draws.push(String::new());
    let names = any(stream, &NAMES);
    for name in names.iter().take(usize::try_from(number(stream, 1, 3)).unwrap()) {
        let (to, bank) = *any(stream, &[("both", ""), ("one", ""), ("one", " bank 90")]);
        let parts: Vec<String> =
            (0..number(stream, 1, 3)).map(|_| part(stream, &counters, (&seen, hands), boards)).collect();
        let once = |hand: &String| parts.iter().filter(|part| part.contains(&format!("from {hand}"))).count() < 2;
        if !(0..hands).map(|n| format!("zone{n}")).all(|hand| once(&hand)) {
            lines.push(format!("ask {name} both yes-no"));
            continue;
        }
        let cards = parts.iter().any(|part| part.contains(" to zone"));
        let clock = if bank.is_empty() { *any(stream, &["", " clock 60"]) } else { " clock 60" };
        let default = default(stream, &parts);
        let opens = if chance(stream, 3) && !cards { " opens umpire" } else { "" };
        let draw = any(stream, &draws);
        let label = any(stream, &["", r#" "What now?""#]);
        lines.push(format!("ask {name} {to} {}{clock}{bank}{default}{opens}{draw}{label}", parts.join("; ")));
    }
    if chance(stream, 3) {
        lines.push("rounds 12".to_owned());
    }
    if chance(stream, 3) {
        lines.push("score none".to_owned());
    }
    let first = format!("first {} {}", names[0], any(stream, &["both", "p1", "p2"]));
    if reads(&[lines.clone(), vec![first.clone()]].concat()).is_ok() {
        lines.push(first);
    }
    if chance(stream, 3) {
        let game = reads(&lines).unwrap();
        let unlabelled = game.names().into_iter().filter(|name| !game.labels.contains_key(name));
        lines.extend(unlabelled.map(|name| format!("label {name} \"{name}: the last\"")).take(64 - lines.len()));
    }
    lines
}

pub(super) fn reads(lines: &[String]) -> Result<Declaration, Fault> {
    Declaration::read(lines.iter().map(String::as_str))
}

fn counters(stream: &mut SplitMix64, lines: &mut Vec<String>) -> Vec<String> {
    // Sometimes nearly as many lines as there may be, each with a label.
    if chance(stream, 20) {
        lines.extend((0..40).map(|n| format!("counter many{n} shared 0 \"Number {n}\"")));
    }
    let names: Vec<String> = (0..number(stream, 0, 3)).map(|n| format!("count{n}")).collect();
    for name in &names {
        let owner = any(stream, &["each", "shared"]);
        let limits = any(stream, &["", " from -20", " to 30", " from -5 to 12"]);
        let label = any(stream, &["", r#" "Points \"won\"""#]);
        lines.push(format!("counter {name} {owner} {}{limits}{label}", number(stream, 0, 12)));
    }
    names
}

/// Dice and decks, with the draws that a question may have, and the number of cards.
fn sets(stream: &mut SplitMix64, lines: &mut Vec<String>) -> (Vec<String>, usize) {
    let (mut draws, mut cards) = (Vec::new(), 0);
    for n in 0..number(stream, 0, 3) {
        let items = any(stream, &["(1..6)", "(A B B x'2 R1..R9)", "(9 10 11 12 Q)", "(C2..C10 CJ CQ CK CA)"]);
        if chance(stream, 3) {
            lines.push(format!("dice set{n} {items}"));
        } else {
            lines.push(format!("deck set{n} {items}"));
        }
        cards += 1;
        draws.push(format!(" then draw set{n} {}", number(stream, 1, 3)));
    }
    (draws, cards)
}

fn part(stream: &mut SplitMix64, counters: &[String], (seen, hands): (&[i64], i64), boards: i64) -> String {
    match number(stream, 0, 8) {
        0 => "pick 1 of (a..d rock +1)".replace("a..d", "a b c d"),
        1 => "pick 0..3 of (left right n1..n9)".to_owned(),
        2 if !counters.is_empty() => format!("number {}..{}", number(stream, -4, 2), any(stream, counters)),
        3 => format!("text {}", number(stream, 1, 40)),
        4 if !seen.is_empty() => {
            format!("cards {} from zone{}", any(stream, &["1", "0..2", "2"]), any(stream, seen))
        }
        5 if !seen.is_empty() => {
            let (from, to) = (any(stream, seen), number(stream, 0, hands - 1));
            format!("cards {} from zone{from} to zone{to}", any(stream, &["1", "0..2"]))
        }
        6 if boards > 0 => format!("cell of grid{}", number(stream, 0, boards - 1)),
        7 => "order of (x y z)".to_owned(),
        8 => "yes-no".to_owned(),
        _ => "number -3..20".to_owned(),
    }
}

fn default(stream: &mut SplitMix64, parts: &[String]) -> String {
    let value = |part: &String| match part.split(' ').next().unwrap() {
        "pick" if part.starts_with("pick 1") => "rock",
        "pick" => "n2 left",
        "number" => "2",
        "text" => "\"/\"",
        "order" => "z x y",
        "yes-no" => "no",
        _ => "",
    };
    let values: Vec<&str> = parts.iter().map(value).collect();
    if values.contains(&"") || chance(stream, 2) { String::new() } else { format!(" default ({})", values.join("; ")) }
}

/// What comes next in a match, as a line.
pub(super) fn step(table: &Table, stream: &mut SplitMix64) -> String {
    let game = table.game();
    match table.phase() {
        Phase::Asked(asked) => {
            let question = asked.question(game).unwrap();
            let mut answer = |seat| {
                let answer = table.sample(seat, stream).unwrap();
                if let [Part::Text(20..)] = question.parts.as_slice()
                    && chance(stream, 2)
                {
                    return (*any(stream, &TEXTS)).to_owned();
                }
                let missing = table.holdings().default(game, question, seat).is_none() && chance(stream, 20);
                if missing { "-".to_owned() } else { answer.write(question, game, &[]) }
            };
            match asked.seat {
                Some(seat) => format!("{seat}: {}", answer(seat)),
                None => format!("{}. {} / {}", table.round() + 1, answer(Seat::P1), answer(Seat::P2)),
            }
        }
        Phase::Drawing(_) => format!("host: {}", table.sample_draw(stream).unwrap().write(game, false)),
        Phase::Umpire => (0..20).map(|_| word(game, table, stream)).find(|said| fits(table, said)).map_or_else(
            || "umpire: says over undecided \"nothing fits\"".to_owned(),
            |said| format!("umpire: {said}"),
        ),
        Phase::Over(_) => unreachable!("nothing comes after the end"),
    }
}

fn fits(table: &Table, said: &str) -> bool {
    let announcement = Announcement::read(said, table.game()).unwrap_or_else(|why| panic!("{said}: {why}"));
    let before = table.clone();
    let mut after = table.clone();
    let fits = after.announce(&announcement).is_ok();
    assert!(fits || before == after, "{said}: a refused word changes nothing");
    fits
}

fn word(game: &Declaration, table: &Table, stream: &mut SplitMix64) -> String {
    let mut acts: Vec<String> = (0..number(stream, 0, 3)).map(|_| act(game, table, stream)).collect();
    let ask = any(stream, &game.asks);
    let to = if ask.to == Audience::Both { "both" } else { *any(stream, &["p1", "p2"]) };
    match number(stream, 0, 19) {
        0 => acts.push("over p1 \"enough; really / yes\"".to_owned()),
        1..=5 => acts.push("again".to_owned()),
        6 if !acts.is_empty() => {}
        _ => acts.push(format!("next {} {to}", ask.name)),
    }
    format!("says {}", acts.join("; "))
}

fn act(game: &Declaration, table: &Table, stream: &mut SplitMix64) -> String {
    let set = (!game.sets.is_empty()).then(|| any(stream, &game.sets));
    let hand = (!game.hands.is_empty()).then(|| any(stream, &game.hands));
    let seat = *any(stream, &Seat::BOTH);
    match (number(stream, 0, 6), set, set.zip(hand)) {
        (0, _, _) if !game.counters.is_empty() => {
            let counter = any(stream, &game.counters);
            let seat = if counter.owner == Owner::Each { format!(" {seat}") } else { String::new() };
            format!("{}{seat} {}{}", counter.name, any(stream, &["", "by "]), number(stream, -3, 9))
        }
        (1, _, _) if !game.boards.is_empty() => {
            let board = any(stream, &game.boards);
            let cells: Vec<_> = board.cells().collect();
            format!("put {} at {} of {}", any(stream, &["X", "O", "-", "12a"]), any(stream, &cells), board.name)
        }
        (2, Some(set), _) => format!("draw {} {}", set.name, number(stream, 1, 3)),
        (3, _, Some((deck, hand))) => {
            let to = if hand.owner == Owner::Shared { "shared" } else { *any(stream, &["p1", "p2", "each"]) };
            format!("deal {} {} to {to} in {}", deck.name, number(stream, 1, 4), hand.name)
        }
        (4, _, Some((deck, _))) => format!("shuffle {}", deck.name),
        (5, _, Some((deck, hand))) => {
            let id = HandId::each(&game.hands).find(|(_, other)| *other == hand).unwrap().0;
            let place = game.place(id, seat);
            let seat = if hand.owner == Owner::Each { format!(" {seat}") } else { String::new() };
            let cards = table.holdings().hand(place);
            match cards.first() {
                Some(card) => {
                    let to = if deck.kind == SetKind::Deck && chance(stream, 2) {
                        deck.name.clone()
                    } else {
                        format!("{}{seat}", hand.name)
                    };
                    format!("move {} from {}{seat} to {to}", game.face(card.face), hand.name)
                }
                None => "\"no card\"".to_owned(),
            }
        }
        _ => format!("\"{}\"", any(stream, &["a; b / c", "say \\\"x\\\" \\\\", "#1", "p1:  ? *"])),
    }
}

/// The lines of a match of at most so many steps, and the table after them.
pub(super) fn random_match(game: &Arc<Declaration>, steps: usize, stream: &mut SplitMix64) -> (Vec<String>, Table) {
    let (mut lines, mut table) = (Vec::new(), Table::new(Arc::clone(game)));
    while lines.len() < steps && !matches!(table.phase(), Phase::Over(_)) {
        let line = step(&table, stream);
        let played = super::file::play(&mut table, &line);
        assert_eq!(played.as_ref(), Ok(&line), "{:?} after {lines:#?}", game.structure());
        lines.push(line);
    }
    (lines, table)
}

/// True if a declaration has a part of this kind.
pub(super) fn has_part(game: &Declaration, is: fn(&Part) -> bool) -> bool {
    game.asks.iter().any(|ask| ask.parts.iter().any(is))
}
