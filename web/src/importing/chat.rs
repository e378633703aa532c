//! A source as the text of a chat: who sent what, among everything else that was said.

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::ending;
use super::facts::{Facts, tag};
use super::fix::{Does, Fix, Who};
use super::hearing::{Heard, Hearing, refusal};
use super::message::Line;
use super::nearest::nearest;
use super::row::{Reading, Row, Taken};
use super::speaker::Speakers;
use super::wording::Vocabulary;

/// What belongs together: the lines of one message.
#[derive(Clone, Debug, Default)]
struct Message {
    /// Who sent it, as it is written; empty where nobody is named before it.
    name: String,
    /// Its lines: the row of each, and what it says.
    parts: Vec<(usize, String)>,
}

/// What comes in a chat, in order.
#[derive(Clone, Debug)]
enum Item {
    /// A row that names a round.
    Round(usize, u32),
    /// A message.
    Message(Message),
}

/// Reads the text of a chat; what it does not say of the match is taken from `given`, and its names from `speakers`.
/// Players who are not named are those who make the first moves. Once they are known, their names are found where they
/// could not be before, so all of it is read again.
pub(super) fn read(text: &str, given: &Facts, speakers: &Speakers) -> Reading {
    let first = once(text, given, speakers);
    if first.facts.names.each().iter().all(|(seat, name)| name.is_empty() || given.names[*seat] == **name) {
        return first;
    }
    let known = Facts { names: first.facts.names, ..given.clone() };
    once(text, &known, speakers)
}

fn once(text: &str, given: &Facts, speakers: &Speakers) -> Reading {
    let mut reading = Reading::default();
    let mut lines = Vec::new();
    for (n, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let said = line.trim();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        match tag(said) {
            Some((name, value)) => {
                if !reading.facts.take(name, &value) {
                    reading.facts.others.push((name.to_owned(), value));
                }
                reading.rows.push(Row::new(n + 1, line, Taken::Fact, ""));
            }
            None => {
                lines.push((reading.rows.len(), line));
                reading.rows.push(Row::new(n + 1, line, Taken::Later, ""));
            }
        }
    }
    reading.facts = std::mem::take(&mut reading.facts).or(given);
    let Some(hearing) = ending::open(&mut reading) else { return reading };
    let vocabulary = all_words(&hearing);
    let mut speakers = speakers.clone();
    for (seat, name) in reading.facts.names.each() {
        speakers.add(name, Who::of(seat));
    }
    let items = items(&lines, &speakers, &vocabulary, &mut reading);
    let (rows, strangers, names) = (&mut reading.rows, &mut reading.strangers, &mut reading.facts.names);
    let mut listener = Listener { hearing, speakers, rows, strangers, names };
    let whole = items.into_iter().all(|item| listener.takes(&item));
    let Listener { hearing, .. } = listener;
    // What was passed by is no part of the match; after something wrong nobody can tell.
    let judged = reading.rows.iter_mut().take_while(|row| row.wrong.is_none());
    judged.filter(|row| row.taken == Taken::Later).for_each(|row| row.taken = Taken::LeftOut);
    if whole {
        end(&mut reading, &hearing);
    }
    if whole || reading.wrong() == 0 {
        ending::names_missing(&mut reading);
    }
    if whole {
        ending::close(&mut reading, &hearing);
    }
    reading
}

/// What is wrong at the end: half of a step, or no end at all.
fn end(reading: &mut Reading, hearing: &Hearing) {
    let names = hearing.names();
    if let Some((seat, line)) = hearing.missing() {
        if let Some(row) = reading.rows.iter_mut().find(|row| row.line == line) {
            let (name, source) = (names[seat], row.source.clone());
            row.refuse(&format!("{name}’s part of this step is missing: nothing of {name} follows"));
            let added = vec![source.clone(), format!("{name}: -")];
            row.fixes = vec![Fix::line(format!("Nothing came from {name}"), line, &source, added)];
            row.fixes.push(Fix::ignore(line, &source));
        }
    } else if !hearing.duel().outcome().is_over() {
        let steps = |row: &&mut Row| matches!(row.taken, Taken::Step | Taken::With(_));
        let last = if hearing.steps().is_empty() { None } else { reading.rows.iter_mut().filter(steps).last() };
        match last {
            Some(row) => {
                let source = row.source.clone();
                let fixes = ending::fixes(names, row.line, &source, |decision| format!("umpire: {decision}"));
                let (taken, words) = (row.taken, std::mem::take(&mut row.words));
                row.refuse(ending::STILL_RUNS);
                (row.taken, row.words, row.fixes) = (taken, words, fixes);
            }
            None => {
                reading.problems.push("No move was found in this text. Are the rules and the names right?".to_owned());
            }
        }
    }
}

/// The words of the game as far as its beginning tells them.
fn all_words(hearing: &Hearing) -> Vocabulary {
    let mut all = Vocabulary::default();
    for party in [Party::Seat(Seat::P1), Party::Seat(Seat::P2), Party::Host] {
        let more = hearing.vocabulary(party);
        all.choices.extend(more.choices);
        all.words.extend(more.words);
    }
    all
}

fn is_word(vocabulary: &Vocabulary, text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    vocabulary.words.iter().any(|word| *word == lower || (lower.len() > 2 && word.starts_with(&lower)))
}

/// The lines as messages and rounds.
fn items(lines: &[(usize, &str)], speakers: &Speakers, vocabulary: &Vocabulary, reading: &mut Reading) -> Vec<Item> {
    let (mut items, mut name, mut message) = (Vec::new(), String::new(), Message::default());
    let close = |message: &mut Message, items: &mut Vec<Item>| {
        if !message.parts.is_empty() {
            items.push(Item::Message(std::mem::take(message)));
        }
    };
    for (at, text) in lines {
        let line = Line::read(text, speakers, |word| is_word(vocabulary, word));
        if line.timed || line.round.is_some() {
            close(&mut message, &mut items);
        }
        if let Some(round) = line.round {
            items.push(Item::Round(*at, round));
        }
        let silent = line.said.iter().all(|(_, words)| words.is_empty());
        if let Some(row) = reading.rows.get_mut(*at).filter(|_| silent) {
            row.taken = Taken::Heading;
        }
        for (by, words) in line.said {
            if let Some(by) = by {
                close(&mut message, &mut items);
                name = by;
            }
            if !words.is_empty() {
                name.clone_into(&mut message.name);
                message.parts.push((*at, words));
            }
        }
    }
    close(&mut message, &mut items);
    items
}

/// Whoever goes through the chat and tells the match from the talk.
struct Listener<'r> {
    hearing: Hearing,
    speakers: Speakers,
    rows: &'r mut Vec<Row>,
    strangers: &'r mut Vec<String>,
    /// The players, as far as they are known.
    names: &'r mut BySeat<String>,
}

impl Listener<'_> {
    /// Takes what comes next; false where something is wrong with it, and nothing after it can be judged.
    fn takes(&mut self, item: &Item) -> bool {
        match item {
            Item::Round(at, round) => self.round(*at, *round),
            Item::Message(message) => self.message(message),
        }
    }

    fn message(&mut self, message: &Message) -> bool {
        let who = self.speakers.who(&message.name);
        if let Some(seat) = who.and_then(Who::seat) {
            // Somebody of whom only another name is known is called by that.
            if self.names[seat].is_empty() && !Speakers::everywhere().knows(&message.name) {
                self.names[seat].clone_from(&message.name);
                self.hearing.call(seat, &message.name);
            }
            return self.seat(seat, message);
        }
        match who {
            Some(Who::Host) => self.host(message),
            Some(_) => true,
            None => self.stranger(message),
        }
    }

    fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    fn round(&mut self, at: usize, round: u32) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        if round <= coming || self.hearing.duel().outcome().is_over() {
            return true;
        }
        let (missing, names) = (self.hearing.missing(), self.hearing.names().map(str::to_owned));
        let Some(row) = self.row(at) else { return true };
        let source = row.source.clone();
        match missing {
            Some((seat, _)) => {
                let name = &names[seat];
                row.refuse(&format!("{name}’s move for round {coming} is missing before this"));
                let now = vec![format!("{name}: -"), source.clone()];
                row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, now));
            }
            None => {
                row.refuse(&format!("round {coming} is missing before this"));
                let now = vec![format!("{}: -", names.p1), format!("{}: -", names.p2), source.clone()];
                row.fixes.push(Fix::line("Nothing came from both", row.line, &source, now));
            }
        }
        row.fixes.push(Fix::ignore(row.line, &source));
        false
    }

    fn seat(&mut self, seat: Seat, message: &Message) -> bool {
        let vocabulary = self.hearing.vocabulary(seat.into());
        let joined: Vec<&str> = message.parts.iter().map(|(_, words)| words.as_str()).collect();
        let lines: Vec<usize> = message.parts.iter().map(|(at, _)| *at).collect();
        let first = lines.first().copied().unwrap_or(0);
        if message.parts.len() > 1 {
            // All of it is one move, or all of it that sounds like one.
            let sounding: Vec<&(usize, String)> =
                message.parts.iter().filter(|(_, words)| vocabulary.sounds(words)).collect();
            let some: Vec<&str> = sounding.iter().map(|(_, words)| words.as_str()).collect();
            let at: Vec<usize> = sounding.iter().map(|(at, _)| *at).collect();
            for (text, lines) in [(joined.join(" "), &lines), (some.join(" "), &at)] {
                let line = self.rows.get(lines.first().copied().unwrap_or(first)).map_or(0, |row| row.line);
                if let Some(heard) = self.hearing.seat(seat, &text, line).ok().filter(|_| !lines.is_empty()) {
                    self.heard(lines, heard);
                    return true;
                }
            }
        }
        message.parts.iter().all(|(at, words)| {
            let line = self.rows.get(*at).map_or(0, |row| row.line);
            match self.hearing.seat(seat, words, line) {
                Ok(heard) => {
                    self.heard(&[*at], heard);
                    true
                }
                Err(refusal) => {
                    // A rule that refuses it, or words that are nearly the game's: it was meant as a move.
                    let meant = vocabulary.sounds(words) || refusal.rule.is_some();
                    !(meant && self.hearing.is_asked(seat.into()))
                        || self.refuse(*at, seat, &message.name, words, &refusal)
                }
            }
        })
    }

    /// Marks the rows of what was heard. A row that holds more than one move says all of them.
    fn heard(&mut self, rows: &[usize], heard: Heard) {
        let standing = self.hearing.standing();
        let Some((first, others)) = rows.split_first() else { return };
        let first_line = self.rows.get(*first).map_or(0, |row| row.line);
        for at in others {
            if let Some(row) = self.rows.get_mut(*at) {
                row.taken = Taken::With(first_line);
            }
        }
        if let Heard::Half(_, Some(before)) = &heard
            && let Some(row) = self.rows.iter_mut().find(|row| row.line == *before && *before != first_line)
        {
            (row.taken, row.words) = (Taken::LeftOut, format!("Replaced on line {first_line}"));
        }
        let Some(row) = self.row(*first) else { return };
        let (taken, words) = match heard {
            Heard::Half(words, _) => (Taken::Half, words),
            Heard::Step(words) => (Taken::Step, words),
        };
        if row.taken == Taken::Half {
            row.words = format!("{}; {words}", row.words);
        } else {
            row.words = words;
        }
        row.taken = taken;
        if taken == Taken::Step {
            row.standing = standing;
        }
    }

    fn refuse(&mut self, at: usize, seat: Seat, name: &str, words: &str, why: &Refusal) -> bool {
        let near = nearest(self.hearing.duel(), seat.into(), words);
        let expected = name_seats(&why.expected, self.hearing.names());
        let rule = why.rule.map_or_else(String::new, |rule| format!(" (rule {rule})"));
        let Some(row) = self.row(at) else { return false };
        row.refuse(&format!("{expected}{rule}"));
        let source = row.source.clone();
        if let Some(wrong) = row.wrong.as_mut().filter(|_| !why.found.is_empty())
            && let Some((before, after)) = source.split_once(why.found.as_str())
        {
            (wrong.before, wrong.after) = (before.to_owned(), after.to_owned());
            wrong.found.clone_from(&why.found);
        }
        for near in near {
            let now = vec![format!("{name}: {near}")];
            row.fixes.push(Fix::line(format!("{name}: {near}"), row.line, &source, now));
        }
        let nothing = vec![format!("{name}: -")];
        row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, nothing));
        row.fixes.push(Fix::ignore(row.line, &source));
        false
    }

    /// What the host or the umpire says: a decision, a draw, or a line of the notation; all else is talk.
    fn host(&mut self, message: &Message) -> bool {
        let vocabulary = self.hearing.vocabulary(Party::Host);
        message.parts.iter().all(|(at, words)| {
            let decision = words.to_lowercase().starts_with("result ");
            let heard = if decision {
                self.hearing.play(&format!("umpire: {words}"))
            } else if self.hearing.is_asked(Party::Host) {
                self.hearing.host(words)
            } else {
                return true;
            };
            match heard {
                Ok(heard) => {
                    self.heard(&[*at], heard);
                    true
                }
                Err(why) if decision || vocabulary.sounds(words) => {
                    let expected = name_seats(&why.expected, self.hearing.names());
                    if let Some(row) = self.rows.get_mut(*at) {
                        row.refuse(&expected);
                        let source = row.source.clone();
                        row.fixes.push(Fix::ignore(row.line, &source));
                    }
                    false
                }
                Err(_) => true,
            }
        })
    }

    /// Somebody who is not known: a question where it sounds like a move, and talk where it does not.
    fn stranger(&mut self, message: &Message) -> bool {
        let joint = |words: &str| {
            words.split_once('.').is_some_and(|(n, moves)| n.parse::<u32>().is_ok() && moves.contains('/'))
        };
        if let [(at, words)] = message.parts.as_slice()
            && joint(words)
            && let Ok(heard) = self.hearing.play(words)
        {
            self.heard(&[*at], heard);
            return true;
        }
        let sounds = |seat: Seat, words: &str| self.hearing.vocabulary(seat.into()).sounds(words);
        let sounding = message.parts.iter().find(|(_, words)| Seat::BOTH.into_iter().any(|seat| sounds(seat, words)));
        if message.name.is_empty() {
            let Some((at, words)) = sounding else { return true };
            let why = refusal(words, "nobody is named before this: write a name and a colon in front of it");
            let names = self.hearing.names().map(str::to_owned);
            if let Some(row) = self.rows.get_mut(*at) {
                row.refuse(&why.expected);
                let source = row.source.clone();
                for (_, name) in names.each() {
                    let now = vec![format!("{name}: {words}")];
                    row.fixes.push(Fix::line(format!("{name} said this"), row.line, &source, now));
                }
                row.fixes.push(Fix::ignore(row.line, &source));
            }
            return false;
        }
        let free =
            Seat::BOTH.into_iter().find(|seat| self.names[*seat].is_empty() && self.hearing.is_asked((*seat).into()));
        if let Some(seat) = free.filter(|seat| message.parts.iter().any(|(_, words)| sounds(*seat, words))) {
            self.names[seat].clone_from(&message.name);
            self.hearing.call(seat, &message.name);
            self.speakers.add(&message.name, Who::of(seat));
            return self.seat(seat, message);
        }
        if !self.strangers.contains(&message.name) {
            self.strangers.push(message.name.clone());
        }
        let Some((at, _)) = sounding else { return true };
        let names = self.hearing.names().map(str::to_owned);
        if let Some(row) = self.rows.get_mut(*at) {
            row.refuse(&format!("who is {}?", message.name));
            row.fixes = who_is(&message.name, names.as_ref().map(String::as_str));
            row.fixes.push(Fix::ignore(row.line, &row.source.clone()));
        }
        false
    }
}

/// Whoever this may be.
pub(super) fn who_is(name: &str, players: BySeat<&str>) -> Vec<Fix> {
    let fix = |who: Who| {
        let label = match who {
            Who::P1 => format!("{name} is {}", players.p1),
            Who::P2 => format!("{name} is {}", players.p2),
            Who::Host => format!("{name} is the host or the umpire"),
            Who::Nobody => format!("Leave out all that {name} says"),
        };
        Fix { label, does: Does::Name { name: name.to_owned(), who } }
    };
    Who::ALL.map(fix).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given() -> Facts {
        Facts { ruleset: "five-card-trick/dm-colosseum-2".into(), ..Facts::default() }
    }

    fn steps(text: &str) -> Vec<String> {
        let reading = read(text, &given(), &Speakers::everywhere());
        let wrong: Vec<_> = reading.rows.iter().filter(|row| row.wrong.is_some()).collect();
        let import = reading.import.unwrap_or_else(|| panic!("{:?} {wrong:#?}", reading.problems));
        import.lines().to_vec()
    }

    const TWO: [&str; 3] = ["1. score grow / score steal", "2. score steal / claim block:claim", "umpire: result p1 *"];

    #[test]
    fn plain_lines_are_read() {
        let text = "Black: Score, Grow\nWhite: Score, Steal\nBlack: good luck!\n\nWhite: Claim, Block (Claim)\nBlack: Steal + Score\nUmpire: result p1 White left";
        assert_eq!(steps(text), TWO);
    }

    #[test]
    fn what_discord_copies_is_read() {
        let text = "Round 1\nBlack — Today at 8:41 PM\nScore\nGrow\n[8:42 PM]\nlet’s go 🔥\nWhite — Today at 8:43 PM\n**Score** & Steal :torch:\nRound 2\nWhite — Today at 8:45 PM\nclaim\nBlock -> claim\nBlack — Today at 8:46 PM\nscore steal\nUmpire — Today at 8:50 PM\nresult p1 White left";
        assert_eq!(steps(text), TWO);
    }

    #[test]
    fn the_last_of_two_moves_counts() {
        let text = "Black: Score\nBlack: Score, Grow\nWhite: Score, Steal\nRound 2: Black: score, steal / White: claim, block on claim\numpire: result p1 it was late";
        assert_eq!(steps(text), TWO);
        let reading = read(text, &given(), &Speakers::everywhere());
        assert_eq!(reading.rows[0].words, "Replaced on line 2");
    }

    #[test]
    fn one_press_after_another_leads_to_the_match() {
        let mut text = "Ada: scroe, grow\nBo: score, steal\nRound 2\nAda: score\nRound 3\nCy: claim".to_owned();
        let mut speakers = Speakers::everywhere();
        let mut pressed = Vec::new();
        for _ in 0..9 {
            let facts = Facts { names: BySeat { p1: "Ada".into(), p2: "Bo".into() }, ..given() };
            let reading = read(&text, &facts, &speakers);
            if let Some(import) = reading.import {
                assert_eq!(
                    import.lines(),
                    ["1. score grow / score steal", "2. score / -", "3. - / claim", "umpire: result p1 *"]
                );
                assert_eq!(
                    pressed,
                    [
                        "Ada: score grow",
                        "Nothing came from Bo",
                        "Cy is Bo",
                        "Nothing came from Ada",
                        "It was decided: Ada won"
                    ]
                );
                return;
            }
            let row = reading.rows.iter().find(|row| row.wrong.is_some()).unwrap();
            let at = usize::from(row.wrong.as_ref().unwrap().expected.starts_with("Who"));
            let fix = &row.fixes[at];
            pressed.push(fix.label.clone());
            text = fix.does.apply(&text).unwrap();
            if let Does::Name { name, who } = &fix.does {
                speakers.add(name, *who);
            }
        }
        panic!("{pressed:?}\n{text}");
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let reading = read("hello\nthere: you", &given(), &Speakers::everywhere());
        assert!(reading.import.is_none());
        assert_eq!(reading.problems.len(), 3, "{:?}", reading.problems);
        assert_eq!(read("Ada: score", &Facts::default(), &Speakers::everywhere()).problems.len(), 1);
    }
}
