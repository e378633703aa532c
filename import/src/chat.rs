//! A source as the text of a chat: who sent what, among everything else that was said.

use std::collections::HashSet;

use engine::{BySeat, Party, Seat, Setup};

use super::about::{self, About};
use super::clause::clauses;
use super::ending;
use super::facts::{Facts, tag};
use super::fix::Who;
use super::grid;
use super::hearing::Hearing;
use super::message::{Item, items};
use super::past::Past;
use super::reader::Reader;
use super::row::{Reading, Row, Taken};
use super::score::Score;
use super::speaker::Speakers;
use super::statement::{Statement, UNCHECKED};
use super::timeline::Timeline;
use super::vocabulary::Vocabulary;
use super::wording::Letters;

/// Reads the text of a chat; what it does not say of the match is taken from `given`, and its names from `speakers`.
/// Players who are not named are those who make the first moves. Once they are known, their names are found where they
/// could not be before, so all of it is read again.
pub(super) fn read(text: &str, given: &Facts, speakers: &Speakers) -> Reading {
    let mut known = given.clone();
    loop {
        match once(text, &known, speakers) {
            Ok(reading) => return reading,
            Err(names) => known.names = names,
        }
    }
}

/// Reads it with the players who are known. Those who are met on the way are the error: it has to be read again with them.
fn once(text: &str, given: &Facts, speakers: &Speakers) -> Result<Reading, BySeat<String>> {
    let mut reading = Reading::default();
    let lines = lines_of_moves(text, given, speakers, &mut reading);
    if reading.facts.date.is_empty() {
        about::offer_day(&mut reading.rows);
    }
    let opened = ending::open(&mut reading);
    // Without a DMO it is read as far as it goes: all that is wrong is seen at once, and nothing is entered.
    let assumed = || Hearing::open(&Facts { dmo: Seat::P1.word().to_owned(), ..reading.facts.clone() }).ok();
    let who_was_dmo = reading.rows.first().filter(|_| opened.is_none()).map(|row| row.fixes.clone());
    let Some(mut hearing) = opened.or_else(assumed) else { return Ok(reading) };
    let setup = reading.facts.setup();
    let vocabulary = all_words(&hearing);
    let mut speakers = speakers.clone();
    for (seat, name) in reading.facts.names.each() {
        speakers.add(name, Who::of(seat));
    }
    let items = messages(&lines, &speakers, &vocabulary, &mut reading);
    let is_spelled = |words: &str| Letters::read(&vocabulary, words).is_some_and(|letters| letters.sure);
    hearing.in_letters = items.iter().any(|item| match item {
        Item::Message(message) => message.parts.iter().any(|(_, words)| {
            let told = clauses(words, &speakers).map(|(_, told)| told).unwrap_or_default();
            is_spelled(words) || told.iter().any(|clause| is_spelled(&clause.words))
        }),
        Item::Round(..) => false,
    });
    let mut reader = Reader::new(hearing, speakers, &mut reading);
    let known = reader.names.clone();
    reader.takes(&items);
    if *reader.names != known {
        return Err(reader.names.clone());
    }
    statements(&mut reader, &setup, &items);
    let Reader { hearing, struck, ends_at, .. } = reader;
    reading.facts.others.extend(struck.into_iter().map(|step| ("Struck".to_owned(), step)));
    let all = reading.rows.len();
    let read = ends_at.or_else(|| reading.rows.iter().position(Row::is_another)).unwrap_or(all);
    reading.rows.iter_mut().take(read).filter(|row| row.taken == Taken::Later).for_each(Row::is_talk);
    reading.understood = understood(&reading.rows, &hearing);
    // Whether the end is there depends on all that is wrong before it.
    if reading.rows.iter().all(|row| row.wrong.is_none()) {
        end(&mut reading, &hearing);
    }
    if let (Some(row), Some(fixes)) = (reading.rows.first_mut(), who_was_dmo) {
        row.fixes.retain(|fix| !fixes.contains(fix));
        row.fixes.splice(0..0, fixes);
    }
    ending::names_missing(&mut reading);
    ending::close(&mut reading, &hearing);
    Ok(reading)
}

pub(super) type Lines<'t> = Vec<(usize, &'t str)>;

/// The lines that may say moves, once what others say of the match is taken from them.
pub(super) fn lines_of_moves<'t>(
    text: &'t str,
    given: &Facts,
    speakers: &Speakers,
    reading: &mut Reading,
) -> Lines<'t> {
    let (title, mut lines) = lines(text, reading);
    let mut facts = std::mem::take(&mut reading.facts).or(given);
    let about = About::of(&title.iter().chain(&lines).copied().collect::<Vec<_>>());
    about.fill(&mut facts, speakers, &mut reading.rows, &mut lines);
    reading.facts = facts;
    lines
}

/// The lines put together to messages and rounds, before any of them is held against the rules.
pub(super) fn messages(
    lines: &[(usize, &str)],
    speakers: &Speakers,
    vocabulary: &Vocabulary,
    reading: &mut Reading,
) -> Vec<Item> {
    let in_words = grid::lines(lines, speakers);
    let said: HashSet<usize> = in_words.iter().map(|(at, _)| *at).collect();
    for (at, _) in lines.iter().filter(|(at, _)| !said.contains(at)) {
        reading.rows.get_mut(*at).into_iter().for_each(|row| row.taken = Taken::Heading);
    }
    let lines: Vec<(usize, &str)> = in_words.iter().map(|(at, line)| (*at, line.as_str())).collect();
    // In some games `R1` is a card.
    let short = !vocabulary.words.iter().any(|word| word == "r1")
        && reading.facts.ruleset.split('/').next() != Some("devils-deal");
    items(&lines, speakers, vocabulary, short, reading)
}

/// The title above all, if it has a sign of one, and the lines that say something, but for tags.
fn lines<'t>(text: &'t str, reading: &mut Reading) -> (Lines<'t>, Lines<'t>) {
    let (mut title, mut lines, mut told, mut another) = (Vec::new(), Vec::new(), HashSet::new(), false);
    for (n, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let said = line.trim();
        if said.is_empty() {
            continue;
        }
        // Two signs are a heading of somebody else's.
        if said.starts_with('#') && !said.starts_with("##") {
            if reading.rows.is_empty() {
                title.push((0, line));
            }
            reading.rows.push(Row::new(n + 1, line, Taken::LeftOut, "Left out: it begins with #"));
            continue;
        }
        if another {
            reading.rows.push(Row::new(n + 1, line, Taken::Later, ""));
            continue;
        }
        match tag(said) {
            // What is said of the match stands above its moves; below them it is said of another.
            Some((name, _)) if !lines.is_empty() && !told.insert(name.to_ascii_lowercase()) => {
                reading.rows.push(Row::new(n + 1, line, Taken::Fact, ""));
                reading.rows.last_mut().into_iter().for_each(Row::begins_another);
                another = true;
            }
            Some((name, value)) => {
                told.insert(name.to_ascii_lowercase());
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
    (title, lines)
}

/// Holds what is stated against the match. What is wrong before a statement may make the difference.
fn statements(reader: &mut Reader<'_>, setup: &Setup, items: &[Item]) {
    let mut order = vec![0; reader.rows.len()];
    for (n, at) in items.iter().flat_map(Item::rows).enumerate() {
        order.get_mut(at).into_iter().for_each(|place| *place = n + 1);
    }
    let all = std::mem::take(&mut reader.statements);
    let (steps, names) = (reader.hearing.steps(), reader.hearing.names());
    let Some(timeline) = (!all.is_empty()).then(|| Timeline::of(setup, steps, names)).flatten() else { return };
    // What says something of all of the match stands in no order with its moves.
    let wrong = reader.rows.iter().zip(&order).filter(|(row, order)| row.wrong.is_some() && **order > 0);
    let mut wrong = wrong.map(|(_, order)| *order).min().unwrap_or(usize::MAX);
    // What both had sent at last may be shown only below the result.
    let told = |past: &&Past| past.sent.each().iter().all(|(_, sent)| sent.as_ref().is_some_and(|sent| sent.told));
    let shown_last = reader.hearing.past().last().filter(told).map(|past| past.at);
    for (at, by, statement, mut place) in all {
        if matches!(statement, Statement::Result(_)) && shown_last == Some(place.with) {
            place.with += 1;
        }
        let (Some(row), Some(now)) = (reader.rows.get_mut(at), order.get(at).copied()) else { continue };
        if !by.is_empty() && reader.speakers.who(&by) != Some(Who::Host) {
            continue;
        }
        if now >= wrong && !matches!(statement, Statement::Result(_)) {
            continue;
        }
        match timeline.holds(&statement, place) {
            Ok(words) if !words.is_empty() && row.wrong.is_none() => {
                let open = row.words.is_empty() || [Score::UNCOMPARED, UNCHECKED].contains(&row.words.as_str());
                match row.taken {
                    Taken::Later => (row.taken, row.words) = (Taken::LeftOut, words),
                    Taken::LeftOut | Taken::Passed if open => row.words = words,
                    _ => {}
                }
            }
            Ok(_) => {}
            Err(against) => {
                row.contradicts(&against);
                wrong = wrong.min(now);
            }
        }
    }
}

/// The steps of which no line is asked about, each with the line that completes it.
fn understood(rows: &[Row], hearing: &Hearing) -> Vec<(usize, String)> {
    let asked: HashSet<usize> = rows.iter().filter(|row| row.wrong.is_some()).map(|row| row.line).collect();
    let guessed = |past: &&Past| {
        past.sent.each().iter().any(|(_, sent)| sent.as_ref().is_some_and(|sent| asked.contains(&sent.line)))
    };
    let guessed: HashSet<usize> = hearing.past().iter().filter(guessed).map(|past| past.at).collect();
    let steps = hearing.lines.iter().copied().zip(hearing.steps()).enumerate();
    steps
        .filter(|(at, (_, step))| !guessed.contains(at) && !step.starts_with("umpire:"))
        .map(|(_, (line, step))| (line, step.clone()))
        .collect()
}

/// What is wrong at the end: half of a step, or no end at all.
fn end(reading: &mut Reading, hearing: &Hearing) {
    let names = hearing.names();
    if let Some((seat, line)) = hearing.missing() {
        ending::is_half(&mut reading.rows, names[seat], line);
    } else if !hearing.duel().outcome().is_over() {
        let steps = |row: &&mut Row| matches!(row.taken, Taken::Step | Taken::With(_));
        let last = if hearing.steps().is_empty() { None } else { reading.rows.iter_mut().filter(steps).last() };
        match last {
            Some(row) => {
                row.asks(ending::STILL_RUNS);
                row.fixes = ending::fixes(names, row.line, &row.source, |decision| format!("umpire: {decision}"));
            }
            None => {
                reading.problems.push("No move was found in this text. Are the rules and the names right?".to_owned());
            }
        }
    }
}

/// The words of the game as far as they are known.
pub(super) fn all_words(hearing: &Hearing) -> Vocabulary {
    let mut all = Vocabulary::default();
    for party in [Party::Seat(Seat::P1), Party::Seat(Seat::P2), Party::Host] {
        let more = hearing.vocabulary(party);
        all.choices.extend(more.choices.iter().cloned());
        all.words.extend(more.words.iter().cloned());
        all.letters.extend(more.letters.iter().copied());
    }
    all.words.extend(hearing.ever().cloned());
    all
}

#[cfg(test)]
mod tests {
    use engine::BySeat;

    use super::*;
    use crate::fix::Does;

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
