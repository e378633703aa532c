//! A source as the text of a chat: its facts, its messages, who is who, and the rounds that come of them.

use std::collections::{HashMap, HashSet};

use engine::{Party, Seat};

use super::facts::{Facts, tag};
use super::facts_in_text::{self, FactsInText};
use super::fix::{Does, Fix, Who};
use super::legend;
use super::match_builder::MatchBuilder;
use super::messages::{Message, messages};
use super::pasted_table;
use super::preview::{Reading, Row, Taken};
use super::round_numbers;
use super::rounds::Rounds;
use super::sentences::clauses;
use super::setup_and_result;
use super::speakers::{Speakers, is_name};
use super::taught_layout::TaughtLayout;

/// Lines of a source, each with its row.
pub(crate) type Lines<'t> = Vec<(usize, &'t str)>;

/// Reads the text of a chat. What it does not say of the match is taken from `given`, and its names from `speakers`.
pub(crate) fn read(text: &str, given: &Facts, speakers: &Speakers) -> Reading {
    let mut reading = Reading::default();
    let mut lines = lines(text, &mut reading);
    let mut facts = std::mem::take(&mut reading.facts).or(given);
    let title = text.lines().next().filter(|line| line.starts_with('#')).map(|line| (0, line));
    let titled: Lines<'_> = title.into_iter().chain(lines.iter().copied()).collect();
    if FactsInText::find(&titled).fill(&mut facts, speakers, &mut reading.rows, &mut lines) {
        reading.problems.push("Who has which items? Press it beside the line that names them.".to_owned());
    }
    for seat in Seat::BOTH {
        // Whoever was said to be a player has that name.
        if let Some(name) = speakers.name_of(seat).filter(|_| facts.names[seat].is_empty()) {
            name.clone_into(&mut facts.names[seat]);
        }
    }
    reading.facts = facts;
    if reading.facts.date.is_empty() {
        facts_in_text::offer_day(&mut reading.rows);
    }
    let opened = setup_and_result::open(&mut reading);
    // Without a DMO it is read as far as it goes: all questions are seen at once, and nothing is entered.
    let assumed = || MatchBuilder::open(&Facts { dmo: Seat::P1.word().to_owned(), ..reading.facts.clone() }).ok();
    let dmo_fixes = reading.rows.first().filter(|_| opened.is_none()).map(|row| row.fixes.clone());
    let Some(builder) = opened.or_else(assumed) else { return reading };
    let mut speakers = speakers.clone();
    for (seat, name) in reading.facts.names.each() {
        speakers.add(name, Who::of(seat));
    }
    let mut all = said(&lines, &speakers, &builder, &mut reading);
    if name_players(&all, &mut speakers, &builder, &mut reading) {
        all = said(&lines, &speakers, &builder, &mut reading);
    }
    let order = all.iter().flat_map(|message| &message.parts).filter_map(|(at, _)| reading.rows.get(*at));
    reading.order = order.map(|row| row.line).collect();
    if ask_layout(&lines, &speakers, &mut reading) {
        return reading;
    }
    name_hosts(&all, &mut speakers, &builder, &reading.facts);
    legend::ask(&mut reading.rows, &lines, &builder.game, &speakers);
    let builder = MatchBuilder::open(&Facts { dmo: dmo(&reading.facts), ..reading.facts.clone() }).unwrap_or(builder);
    let short = is_short(&builder, &reading.facts);
    let players = reading.facts.names.clone();
    let mut rounds = Rounds::new(builder, &mut reading.rows, &speakers, short, players);
    rounds.read(&all);
    let Rounds { builder, strangers, .. } = rounds;
    for name in strangers {
        if !reading.strangers.contains(&name) {
            reading.strangers.push(name);
        }
    }
    close(&mut reading, &builder, dmo_fixes);
    reading
}

/// The DMO, or anybody where the rules need one and nobody said who.
fn dmo(facts: &Facts) -> String {
    if facts.dmo.is_empty() { Seat::P1.word().to_owned() } else { facts.dmo.clone() }
}

/// The messages, those of tables among them as a host would write them.
fn said(lines: &[(usize, &str)], speakers: &Speakers, builder: &MatchBuilder, reading: &mut Reading) -> Vec<Message> {
    let rows = pasted_table::lines(lines, speakers);
    let said: HashSet<usize> = rows.iter().map(|(at, _)| *at).collect();
    for (at, _) in lines.iter().filter(|(at, _)| !said.contains(at)) {
        reading.rows.get_mut(*at).into_iter().for_each(|row| row.taken = Taken::Heading);
    }
    let lines: Lines<'_> = rows.iter().map(|(at, line)| (*at, line.as_str())).collect();
    let is_word = |name: &str| builder.game.is_all_of(name);
    messages(&lines, speakers, &is_word, reading)
}

/// True if `R3` can only be a round: in some games it is a card.
fn is_short(builder: &MatchBuilder, facts: &Facts) -> bool {
    !builder.game.words.contains("r1") && facts.ruleset.split('/').next() != Some("devils-deal")
}

/// Names the players, where nobody did and just two make all the moves, or are told of with a colon. Everybody else who may be of
/// the match is asked about, once. True if somebody was named.
fn name_players(all: &[Message], speakers: &mut Speakers, builder: &MatchBuilder, reading: &mut Reading) -> bool {
    let short = is_short(builder, &reading.facts);
    let free: Vec<Seat> = Seat::BOTH.into_iter().filter(|seat| reading.facts.names[*seat].is_empty()).collect();
    // Each with how often it makes a move, and how often it may make one.
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    for (message, words) in all.iter().flat_map(|message| message.parts.iter().map(move |(_, words)| (message, words)))
    {
        let named = round_numbers::read(words, short);
        let rest = named.map_or(words.as_str(), |named| named.rest);
        let told = rest.split_once(':').filter(|(name, _)| is_name(name) && !builder.game.is_all_of(name));
        let told = told.filter(|(_, said)| builder.game.is_all_of(said));
        for (name, said) in told.into_iter().chain([(message.name.as_str(), rest)]) {
            let is_known =
                name.is_empty() || speakers.who(name).is_some() || named.is_some_and(|named| named.rest.is_empty());
            if is_known || !said.contains(char::is_alphabetic) || !builder.game.may_be_in(said) {
                continue;
            }
            let moves = usize::from(builder.game.is_all_of(said));
            match found.iter_mut().find(|(known, ..)| *known == name.trim()) {
                Some((_, made, maybe)) => (*made, *maybe) = (*made + moves, *maybe + 1 - moves),
                None => found.push((name.trim(), moves, 1 - moves)),
            }
        }
    }
    let often: Vec<&str> = found.iter().filter(|(_, made, _)| *made > 1).map(|(name, ..)| *name).collect();
    let names: Vec<&str> =
        if often.len() == free.len() { often } else { found.iter().map(|(name, ..)| *name).collect() };
    let others = found.iter().filter(|(name, made, _)| *made > 0 && !names.contains(name)).count();
    if free.is_empty() || names.len() != free.len() || others > 0 {
        let asked = found.iter().filter(|_| !free.is_empty());
        reading.strangers = asked.map(|(name, ..)| (*name).to_owned()).collect();
        return false;
    }
    for (seat, name) in free.into_iter().zip(names) {
        name.clone_into(&mut reading.facts.names[seat]);
        speakers.add(name, Who::of(seat));
    }
    true
}

/// Finds who the host is: whoever tells of both players, or numbers the rounds.
fn name_hosts(all: &[Message], speakers: &mut Speakers, builder: &MatchBuilder, facts: &Facts) {
    let short = is_short(builder, facts);
    let mut hosts: HashMap<&str, usize> = HashMap::new();
    for message in all.iter().filter(|message| !message.name.is_empty() && speakers.who(&message.name).is_none()) {
        let mut seats = Vec::new();
        for (_, words) in &message.parts {
            let named = round_numbers::read(words, short);
            *hosts.entry(&message.name).or_default() += usize::from(named.is_some());
            let told = clauses(named.map_or(words.as_str(), |named| named.rest), speakers);
            seats.extend(told.iter().filter(|clause| builder.game.may_be_in(clause.text)).map(|clause| clause.seat));
        }
        if Seat::BOTH.into_iter().all(|seat| seats.contains(&seat)) {
            *hosts.entry(&message.name).or_default() += 2;
        }
    }
    let hosts = hosts.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name.to_owned());
    hosts.collect::<Vec<_>>().iter().for_each(|host| speakers.add(host, Who::Host));
}

/// The lines that say something, but for tags.
fn lines<'t>(text: &'t str, reading: &mut Reading) -> Lines<'t> {
    let (mut lines, mut told, mut another) = (Vec::new(), Vec::new(), false);
    for (n, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let said = line.trim();
        if said.is_empty() {
            continue;
        }
        // Two signs are a heading of somebody else's.
        if said.starts_with("# ") && !said.starts_with("##") || said == "#" {
            reading.rows.push(Row::new(n + 1, line, Taken::LeftOut, "Left out: it begins with #"));
            continue;
        }
        if another {
            reading.rows.push(Row::new(n + 1, line, Taken::Later, ""));
            continue;
        }
        match tag(said) {
            // What is said of the match stands above its moves; below them it is said of another.
            Some((name, _)) if !lines.is_empty() && told.contains(&name.to_ascii_lowercase()) => {
                reading.rows.push(Row::new(n + 1, line, Taken::Fact, ""));
                reading.rows.last_mut().into_iter().for_each(Row::begins_another);
                another = true;
            }
            Some((name, value)) => {
                told.push(name.to_ascii_lowercase());
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
    lines
}

/// Asks how a message begins, where no known layout fits, or where somebody has begun to show it; true if it asks.
fn ask_layout(lines: &[(usize, &str)], speakers: &Speakers, reading: &mut Reading) -> bool {
    let opened = speakers.layout.clone().or(reading.is_unknown.then(TaughtLayout::default));
    match opened.as_ref().and_then(|layout| Some((layout, layout.asks()?))) {
        Some((layout, asks)) => {
            reading.problems.insert(0, asks.to_owned());
            reading.layout = layout.presses(lines);
        }
        None => {
            let label = "Show how a message begins".to_owned();
            reading.layout = vec![vec![Fix { label, does: Does::Layout(TaughtLayout::default()) }]];
        }
    }
    reading.layout.len() > 1
}

/// Ends the reading: what is missing at the end is asked for.
fn close(reading: &mut Reading, builder: &MatchBuilder, dmo_fixes: Option<Vec<Fix>>) {
    let wrong: Vec<usize> = reading.rows.iter().filter(|row| row.wrong.is_some()).map(|row| row.line).collect();
    let steps = builder.steps().iter().filter(|step| !step.is_unsure && !wrong.contains(&step.line));
    let steps = steps.filter(|step| !step.text.starts_with("umpire:"));
    reading.understood = steps.map(|step| (step.line, step.text.clone())).collect();
    if wrong.is_empty() {
        if let Some((seat, line)) = builder.missing() {
            setup_and_result::is_half(&mut reading.rows, seat, builder.names()[seat], line);
        } else if !builder.duel().outcome().is_over() {
            ask_end(reading, builder);
        }
    }
    // Behind the last question lines wait for its answer.
    let stopped = reading.rows.iter().any(|row| row.wrong.is_some());
    for row in reading.rows.iter_mut().filter(|row| row.taken == Taken::Later && row.wrong.is_none() && !stopped) {
        row.is_talk();
    }
    if let (Some(row), Some(fixes)) = (reading.rows.first_mut(), dmo_fixes) {
        row.fixes.retain(|fix| !fixes.contains(fix));
        row.fixes.splice(0..0, fixes);
    }
    if let Some((_, steps)) =
        builder.steps().split_last().filter(|(last, _)| last.text.ends_with(setup_and_result::REPORTED))
    {
        reading.notes.push(format!(
            "{} steps are known, and the result is {}.",
            steps.len(),
            setup_and_result::REPORTED
        ));
    }
    setup_and_result::names_missing(reading);
    setup_and_result::close(reading, builder);
}

/// The match still runs at the end of the chat: somebody has to say how it ended.
fn ask_end(reading: &mut Reading, builder: &MatchBuilder) {
    if builder.steps().is_empty() {
        let asked = if builder.is_asked(Party::Host) { " It begins with a draw of the host." } else { "" };
        reading.problems.push(format!("No move was found in this text.{asked}"));
        return;
    }
    let names = builder.names();
    if let Some(row) = reading.rows.iter_mut().rev().find(|row| !row.source.trim_start().starts_with("# ")) {
        let fixes = setup_and_result::fixes(names, row.line, &row.source, |decision| format!("umpire: {decision}"));
        row.asks(setup_and_result::STILL_RUNS);
        let kept = row.fixes.iter().filter(|fix| matches!(fix.does, Does::Name { .. })).cloned();
        row.fixes = kept.chain(fixes).collect();
    }
}

impl Rounds<'_> {
    /// Reads all messages.
    pub(crate) fn read(&mut self, messages: &[Message]) {
        let parts = messages.iter().flat_map(|message| &message.parts);
        let numbers = parts.filter(|(_, words)| round_numbers::read(words, self.short).is_some()).count();
        self.is_numbered = numbers > 1 && self.builder.round().is_some();
        for message in messages {
            let who = if message.name.is_empty() { Some(Who::Host) } else { self.speakers.who(&message.name) };
            match who {
                Some(Who::Nobody) => message.parts.iter().for_each(|(at, _)| self.take(*at, Taken::LeftOut)),
                Some(who) => match who.seat() {
                    Some(seat) => self.player(seat, message),
                    None => self.host(message),
                },
                None => self.stranger(message),
            }
        }
        if let Some((at, seat, score)) = self.winner {
            let won = match self.builder.duel().outcome() {
                engine::Outcome::Over(ending) => ending.verdict.winner(),
                engine::Outcome::Running => None,
            };
            let name = self.builder.names()[won.unwrap_or(seat)].to_owned();
            let differs = score.and_then(|score| score.compare(self.builder.duel()).err());
            let why = match won {
                Some(won) if won != seat => Some(format!("the moves above come to a win of {name}")),
                _ => differs.filter(|_| won.is_some()),
            };
            if let (Some(why), Some(row)) = (why, self.row(at)) {
                row.asks(&why);
                row.offer_ignore();
            }
        }
    }
}
