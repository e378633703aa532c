//! The questions of a preview, each on its line with the buttons that answer it.

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::fix::{Change, Does, Fix, Who};
use super::match_builder::{MatchBuilder, Sent};
use super::nearest_moves::nearest;
use super::preview::Row;

/// A move that somebody has to write.
pub(crate) const BLANK: &str = "?";

/// Asks what a seat sent, on a line that may say it: the nearest legal moves are offered, and that it is talk. `head` stands above
/// the line that takes its place, and the other moves of the line beside it.
pub(crate) fn ask_move(
    row: &mut Row,
    builder: &MatchBuilder,
    seat: Seat,
    said: &str,
    why: &Refusal,
    beside: &[String],
) {
    let name = builder.names()[seat];
    let rule = why.rule.map_or_else(String::new, |rule| format!(" (rule {rule})"));
    let expected = name_seats(&why.expected, builder.names());
    row.refuse(&format!(
        "is this a move of {name}? {}{rule}",
        record::words::sentence(&expected).trim_end_matches('.')
    ));
    mark(row, &why.found);
    row.fixes.clear();
    for near in nearest(builder.duel(), seat.into(), said) {
        row.offer(format!("{name}: {near}"), with(beside, seat, &near));
    }
    row.offer(format!("Nothing came from {name}"), with(beside, seat, "-"));
    offer_talk(row);
    // Behind it, nothing is read before it is answered.
    if !builder.is_joint() {
        offer_end(row);
    }
}

/// Asks for a line that was put there to be written, or does not read.
pub(crate) fn ask_written(row: &mut Row, builder: &MatchBuilder, party: Party, words: &str) {
    let name = party.seat().map_or("the host", |seat| builder.names()[seat]);
    let is_blank = words == BLANK;
    let blank = format!("write here what {name} sent");
    ask(row, if is_blank { &blank } else { "this is no answer to what is asked here" });
    if let Party::Seat(seat) = party {
        row.offer(format!("Nothing came from {name}"), vec![format!("{seat}: -")]);
    }
    offer_end(row);
    row.offer_ignore();
}

/// Asks what is missing before a line.
pub(crate) fn ask_before(row: &mut Row, builder: &MatchBuilder) {
    let asked = builder.duel().asks().last().map(|ask| name_seats(&ask.prompt, builder.names()));
    ask(row, &format!("something is missing before this: {}", asked.unwrap_or_default()));
    offer_end(row);
    offer_talk(row);
}

/// The match is known no further.
fn offer_end(row: &mut Row) {
    let label = "Nobody knows: the match is known up to here".to_owned();
    row.fixes.push(Fix { label, ..Fix::ignore_rest(row.line, &row.source) });
}

/// Asks which of several moves a line says.
pub(crate) fn ask_which(row: &mut Row, name: &str, seat: Seat, moves: &[String], beside: &[String]) {
    ask(row, &format!("this can be read in {} ways: which move is it?", moves.len()));
    for text in moves {
        row.offer(format!("{name}: {text}"), with(beside, seat, text));
    }
    offer_talk(row);
}

/// Asks which of two moves of one seat counts, when the second comes before anything of the other.
pub(crate) fn ask_second(
    row: &mut Row,
    builder: &MatchBuilder,
    first: &Sent,
    first_source: &str,
    seat: Seat,
    text: &str,
) {
    let (name, other) = (builder.names()[seat], builder.names()[seat.other()]);
    ask(row, &format!("{name} sent “{}” on line {}, and nothing of {other} came between", first.text, first.line));
    row.offer(format!("Line {} is right", first.line), vec![format!("# {}", row.source)]);
    for near in nearest(builder.duel(), seat.into(), text) {
        let leave = leave_out(first.line, first_source);
        let take = Change { at: row.line, was: row.source.clone(), now: vec![format!("{seat}: {near}")] };
        let fix = Fix::lines(format!("This line is right: {near}"), vec![leave, take]);
        row.fixes.extend((first.line != row.line).then_some(fix));
    }
    let before = vec![format!("{}: -", seat.other()), row.source.clone()];
    row.offer(format!("Nothing came from {other} before this"), before);
}

/// Asks about a line that may say that a round was void, or that nobody sent anything.
pub(crate) fn ask_void(
    row: &mut Row,
    label: &str,
    round_lines: &[(usize, String)],
    silent: bool,
    names: &BySeat<String>,
) {
    ask(row, "was a round void, or did nobody send anything?");
    if !round_lines.is_empty() && round_lines.iter().all(|(line, _)| *line < row.line) {
        let own = leave_out(row.line, &row.source);
        let all = round_lines.iter().map(|(at, was)| leave_out(*at, was)).chain([own]).collect();
        row.fixes.push(Fix::lines(label, all));
    }
    if silent {
        row.offer("Nobody sent anything", vec!["p1: -".to_owned(), "p2: -".to_owned()]);
        for (seat, name) in names.each() {
            row.offer(format!("Nothing came from {name}"), vec![format!("{seat}: -")]);
        }
    }
    offer_talk(row);
}

/// Asks which is right: what a player sent, or what the host tells of it.
pub(crate) fn ask_told(row: &mut Row, name: &str, first: &Sent, first_source: &str, told: &str) {
    ask(row, &format!("this tells that {name} sent “{told}”, and line {} says “{}”", first.line, first.text));
    row.offer(format!("Line {} is right", first.line), vec![format!("# {}", row.source)]);
    let leave = leave_out(first.line, first_source);
    row.fixes.push(Fix::lines("This line is right", vec![leave]));
}

/// Asks about a seat's move that is missing before a line.
pub(crate) fn ask_missing(row: &mut Row, seat: Seat, names: BySeat<&str>, round: Option<u32>) {
    let name = names[seat];
    let of = round.map_or_else(String::new, |round| format!(" for round {round}"));
    ask(row, &format!("nothing of {name}{of} is above this line"));
    row.offer(format!("Nothing came from {name}"), vec![format!("{seat}: -"), row.source.clone()]);
    row.offer_ignore();
}

/// Asks about a round that is missing before a line.
pub(crate) fn ask_round_missing(row: &mut Row, round: u32, says: u32) {
    ask(row, &format!("this is round {says}, and round {round} is missing above"));
    let nothing = vec![format!("Round {round}"), "p1: -".to_owned(), "p2: -".to_owned(), row.source.clone()];
    row.offer(format!("Nobody sent anything in round {round}"), nothing);
    offer_end(row);
    row.offer_ignore();
}

/// Asks about a round that is played or told once more, with other moves.
pub(crate) fn ask_repeated(row: &mut Row, round: u32, lines: &[(usize, String)]) {
    ask(row, &format!("round {round} is above already, with other moves"));
    if lines.iter().all(|(line, _)| *line < row.line) {
        let label = format!("Round {round} was void, and this counts");
        row.fixes.push(Fix::lines(label, lines.iter().map(|(at, was)| leave_out(*at, was)).collect()));
    }
    row.offer_ignore();
}

/// Asks whether a line changes what is above of a round. `blanks` take its place where it is written anew.
pub(crate) fn ask_earlier(row: &mut Row, round: u32, lines: &[(usize, String)], blanks: &[String]) {
    ask(row, &format!("this speaks of round {round}, which is above: is anything of it different?"));
    if let Some((last, _)) = lines.last().filter(|(line, _)| *line < row.line) {
        let mut changes: Vec<Change> = lines.iter().map(|(at, was)| leave_out(*at, was)).collect();
        let anew = changes.iter_mut().filter(|change| change.at == *last);
        anew.for_each(|change| change.now.extend_from_slice(blanks));
        changes.push(leave_out(row.line, &row.source));
        row.fixes.push(Fix::lines(format!("Write round {round} again"), changes));
    }
    offer_talk(row);
}

/// Asks about a score that the moves do not come to. `moves` are those of the line itself.
pub(crate) fn ask_score(row: &mut Row, why: &str, moves: &[String], round_lines: &[(usize, String)]) {
    let taken = row.taken;
    row.refuse(why);
    row.taken = taken;
    row.fixes.clear();
    let kept = std::iter::once(format!("# {}", row.source)).chain(moves.iter().cloned());
    row.offer("The moves are right, the score is not", kept.collect());
    if !round_lines.is_empty() && round_lines.iter().all(|(line, _)| *line < row.line) {
        row.fixes.push(Fix::lines(
            "The last round was void",
            round_lines.iter().map(|(at, was)| leave_out(*at, was)).collect(),
        ));
    }
}

/// Asks what the host drew.
pub(crate) fn ask_draw(row: &mut Row, builder: &MatchBuilder, said: &str) {
    let asked = builder.duel().asks().last().map(|ask| name_seats(&ask.prompt, builder.names()));
    ask(row, &asked.unwrap_or_default());
    for near in nearest(builder.duel(), Party::Host, said) {
        let now = format!("host: {near}");
        row.offer(now.clone(), vec![now]);
    }
    offer_talk(row);
}

/// Asks who speaks, on a line that may be a move.
pub(crate) fn ask_speaker(row: &mut Row, name: &str, said: &str, players: BySeat<&str>) {
    row.fixes.clear();
    if name.is_empty() {
        row.refuse("nobody is named before this: whose is it?");
        for (seat, player) in players.each() {
            let player = if player.is_empty() { seat.word() } else { player };
            row.offer(format!("{player} said this"), vec![format!("{seat}: {said}")]);
        }
    } else {
        row.refuse(&format!("who is {name}?"));
        row.fixes = who_is(name, players);
    }
    offer_talk(row);
}

/// The buttons that say who somebody is. A player's name is empty as long as nobody knows it.
pub fn who_is(name: &str, players: BySeat<&str>) -> Vec<Fix> {
    let is = |seat: Seat| match (players[seat], seat) {
        ("", Seat::P1) => format!("{name} is player 1, whose name is not known yet"),
        ("", Seat::P2) => format!("{name} is player 2, whose name is not known yet"),
        (player, _) => format!("{name} is {player}"),
    };
    let fix = |who: Who| {
        let label = match who {
            Who::P1 => is(Seat::P1),
            Who::P2 => is(Seat::P2),
            Who::Host => format!("{name} is the host or the umpire"),
            Who::Nobody => format!("Leave out all that {name} says"),
        };
        Fix { label, does: Does::Name { name: name.to_owned(), who } }
    };
    Who::ALL.map(fix).into()
}

/// A question with no buttons yet.
fn ask(row: &mut Row, why: &str) {
    row.refuse(why);
    row.fixes.clear();
}

/// A line that counts for nothing.
fn leave_out(at: usize, was: &str) -> Change {
    Change { at, was: was.to_owned(), now: vec![format!("# {was}")] }
}

fn offer_talk(row: &mut Row) {
    row.offer("It is talk", vec![format!("# {}", row.source)]);
}

fn with(beside: &[String], seat: Seat, text: &str) -> Vec<String> {
    beside.iter().cloned().chain([format!("{seat}: {text}")]).collect()
}

/// Marks the words at fault.
fn mark(row: &mut Row, found: &str) {
    if let Some(wrong) = row.wrong.as_mut().filter(|_| !found.is_empty())
        && let Some((before, after)) = row.source.split_once(found)
    {
        (wrong.before, wrong.found, wrong.after) = (before.to_owned(), found.to_owned(), after.to_owned());
    }
}
