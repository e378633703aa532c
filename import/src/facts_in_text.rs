//! The facts of a match that a chat says in passing: a ruleset by its title, `Ada vs Bo`, `(DMO)`, a day. Proper names are looked
//! for, no sentences are understood; what can be read in two ways is asked.

use std::sync::LazyLock;

use engine::{BySeat, Seat};

use super::facts::Facts;
use super::fix::Who;
use super::markup::clean;
use super::notation_tag_fixes::written;
use super::preview::{Row, Taken};
use super::speakers::{Speakers, bare_name, is_name};
use super::timestamps::{Order, day};
use super::typed_move::words;

/// Letters beside a tournament on a line that names it.
const AROUND_HOSTING: usize = 20;
/// The longest line that is looked at.
const LINE_MAX_BYTES: usize = 500;
/// Words between two players.
const VERSUS: [&str; 7] = [" vs. ", " vs ", " versus ", " v. ", " v ", " against ", " and @"];
/// Marks behind the name of the DMO.
const DMO_MARKS: [&str; 4] = ["(dmo)", "(has dm advantage", " is the dmo", " is dmo"];
/// Labels before the players or one of them.
const PLAYERS: [&str; 2] = ["players:", "match:"];
const DMO_LABELS: [&str; 2] = ["dmo:", "death match opponent:"];
const TITLES: [&str; 6] = ["dr", "mr", "mrs", "ms", "st", "prof"];
/// Words that are no player's name before anybody knows by which rules was played.
const NO_PLAYER: &str = "score grow raise claim steal block front middle back discard pass stand refill fold call nothing \
    both me you us them him her it this that what who";
/// Names that are looked for in all lines; a chat that has more before its players says who they are in another way.
const SEARCHED_MOST: usize = 500;

/// The facts that were found, each with its row.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactsInText {
    names: Option<(usize, BySeat<String>)>,
    /// The rulesets that a line may mean.
    rulesets: Option<(usize, Vec<&'static str>)>,
    /// A text that names the DMO last.
    dmo: Option<(usize, String)>,
    /// The row with which another match begins: it names other rules, or other players, than a row above it.
    another: Option<usize>,
    /// All lines in lower case: a player's name stands on more than one.
    lines: Vec<String>,
    searched: usize,
}

impl FactsInText {
    /// Looks through the lines, each with its row.
    pub(crate) fn find(lines: &[(usize, &str)]) -> Self {
        let mut found = Self { lines: lines.iter().map(|(_, line)| line.to_lowercase()).collect(), ..Self::default() };
        for (at, line) in lines {
            let line = clean(line);
            let line = line.trim_matches(|letter: char| "=~#-–— ".contains(letter));
            if line.len() <= LINE_MAX_BYTES && !line.contains('?') && found.another.is_none() {
                found.line(*at, line);
            }
        }
        found
    }

    fn line(&mut self, at: usize, line: &str) {
        let lower = line.to_lowercase();
        let label = PLAYERS.iter().find(|label| lower.starts_with(**label));
        let versus = label.and_then(|label| line.get(label.len()..)).map(|rest| rest.replace(" and ", " vs "));
        let seats = || line.strip_prefix("P1 ")?.split_once(", P2 ");
        let versus = versus.or_else(|| seats().map(|(one, other)| format!("{one} vs {other}")));
        let rules = rules(line);
        // Once they are known, other players count only beside the name of a game.
        let counts = self.names.is_none() || !rules.is_empty();
        let players = if counts { self.players(versus.as_deref().unwrap_or(line)) } else { None };
        if self.is_another(&rules, players.as_ref()) {
            self.another = Some(at);
            return;
        }
        if !rules.is_empty() && self.rulesets.as_ref().is_none_or(|(_, before)| rules.len() < before.len()) {
            self.rulesets = Some((at, rules));
        }
        self.names = self.names.take().or(players.map(|players| (at, players)));
        let before = |marks: &[&str]| marks.iter().find_map(|mark| line.get(..lower.find(mark)?).map(str::to_owned));
        let behind = DMO_LABELS.iter().find_map(|label| lower.strip_prefix(label)).map(str::to_owned);
        self.dmo = self.dmo.take().or(before(&DMO_MARKS).or(behind).map(|text| (at, text)));
    }

    /// True if a line that names rules and two players names others than those above.
    fn is_another(&self, rules: &[&str], players: Option<&BySeat<String>>) -> bool {
        let (Some((_, before)), Some((_, names)), Some(players)) = (&self.rulesets, &self.names, players) else {
            return false;
        };
        if rules.len() != 1 || before.len() != 1 {
            return false;
        }
        let known = |seat: Seat| Seat::BOTH.iter().any(|other| players[*other].eq_ignore_ascii_case(&names[seat]));
        rules != before.as_slice() || !Seat::BOTH.into_iter().all(known)
    }

    /// `Black vs White`, where nothing but names stands around it.
    fn players(&mut self, line: &str) -> Option<BySeat<String>> {
        let (lines, searched) = (&self.lines, &mut self.searched);
        let lower = line.to_lowercase();
        let apart = |between: &str| {
            let at = lower.find(between).filter(|_| lower.len() == line.len())?;
            Some((line.get(..at)?, line.get(at + between.len()..)?))
        };
        let between = || lower.find("between ").and_then(|at| line.get(at + "between ".len()..)?.split_once(" and "));
        between().into_iter().chain(VERSUS.iter().filter_map(|versus| apart(versus))).find_map(|(one, other)| {
            let one = one.rsplit([':', '–', '—', '|', ',', '!', '@']).next().unwrap_or(one);
            let one = sentences(one).last().unwrap_or(one);
            let one = one.rsplit(") ").find(|part| !part.trim().is_empty()).unwrap_or(one);
            let other = other.split([':', ',', '–', '—', '|', '!', '"']).next().unwrap_or(other);
            let other = sentences(other).next().unwrap_or(other).split(" - ").next().unwrap_or(other);
            let names = [named(one, true), named(other, false)];
            let [one, other] = &names;
            let free = names.iter().all(|name| is_player(name) && is_repeated(lines, name, searched));
            (free && one != other).then(|| BySeat { p1: one.clone(), p2: other.clone() })
        })
    }

    /// Fills in what is not known yet, and marks the rows that say it. True if it is asked who has which items.
    pub(crate) fn fill(
        self,
        facts: &mut Facts,
        speakers: &Speakers,
        rows: &mut [Row],
        lines: &mut Vec<(usize, &str)>,
    ) -> bool {
        // Of two matches the first is read, until somebody says which is meant.
        if let Some(at) = self.another {
            rows.get_mut(at).into_iter().for_each(Row::begins_another);
            lines.retain(|(row, _)| *row < at);
        }
        let mut said: Vec<(usize, String)> = Vec::new();
        if let Some((at, names)) = self.names.filter(|_| facts.names.p1.is_empty() && facts.names.p2.is_empty()) {
            said.push((at, format!("Players: {}, {}", names.p1, names.p2)));
            facts.names = names;
        }
        match self.rulesets.filter(|_| facts.ruleset.is_empty()) {
            Some((at, ids)) if ids.len() == 1 => {
                facts.ruleset = ids.concat();
                said.push((at, format!("Rules: {}", facts.ruleset)));
            }
            Some((at, ids)) => {
                if let Some(row) = rows.get_mut(at) {
                    row.refuse("by which of these rules was it played?");
                    row.fixes.clear();
                    ids.iter()
                        .for_each(|id| row.offer(format!("By {id}"), vec![written("Ruleset", id), row.source.clone()]));
                }
            }
            None => {}
        }
        let mut all = speakers.clone();
        facts.names.each().iter().for_each(|(seat, name)| all.add(name, Who::of(*seat)));
        let dmo = self.dmo.as_ref().and_then(|(at, text)| Some((*at, last_player(text, &all)?)));
        if let Some((at, seat)) = dmo.filter(|_| facts.dmo.is_empty()) {
            seat.word().clone_into(&mut facts.dmo);
            said.push((at, format!("DMO: {}", facts.names[seat])));
        }
        for (at, words) in said {
            if let Some(row) = rows.get_mut(at).filter(|row| row.wrong.is_none()) {
                row.words = if row.words.is_empty() { words } else { format!("{}; {words}", row.words) };
            }
        }
        ask_items(facts, &all, rows, lines)
    }
}

/// Asks who has which items, on the first line that names one, where no tag says it: as the line gives them to the players whom it
/// names before them, or otherwise.
fn ask_items(facts: &Facts, speakers: &Speakers, rows: &mut [Row], lines: &[(usize, &str)]) -> bool {
    let known = engine::rulesets().map(engine::Ruleset::card).find(|card| card.id == facts.ruleset);
    let items = known.map_or(&[][..], |card| card.items);
    if facts.items.each().iter().any(|(_, items)| !items.is_empty()) {
        return false;
    }
    let found = |line: &str| -> Vec<(usize, &'static str)> {
        let lower = line.to_lowercase().replace('-', " ");
        items.iter().filter_map(|item| Some((lower.find(&item.replace('-', " "))?, *item))).collect()
    };
    let Some((first, _)) = lines.iter().find(|(_, line)| !found(line).is_empty()) else { return false };
    let mut given: BySeat<Vec<&str>> = BySeat::default();
    for (at, item) in
        lines.iter().flat_map(|(_, line)| found(line).into_iter().map(move |(at, item)| ((line, at), item)))
    {
        let (line, at) = at;
        let seat = line.get(..at).and_then(|before| last_player(before, speakers));
        let free = Seat::BOTH.into_iter().all(|seat| !given[seat].contains(&item));
        seat.filter(|_| free).into_iter().for_each(|seat| given[seat].push(item));
    }
    let Some(row) = rows.get_mut(*first) else { return false };
    row.asks("who has which items?");
    row.fixes.clear();
    for given in [given, BySeat { p1: items.to_vec(), p2: Vec::new() }, BySeat { p1: Vec::new(), p2: items.to_vec() }] {
        let list = |seat: Seat| if given[seat].is_empty() { "none".to_owned() } else { given[seat].join(", ") };
        let name = |seat: Seat| if facts.names[seat].is_empty() { seat.word() } else { facts.names[seat].as_str() };
        let label = Seat::BOTH.map(|seat| format!("{}: {}", name(seat), list(seat))).join("; ");
        let tags =
            [("P1Items", Seat::P1), ("P2Items", Seat::P2)].map(|(tag, seat)| written(tag, &given[seat].join(" ")));
        row.offer(label, tags.into_iter().chain([row.source.clone()]).collect());
    }
    row.offer_ignore();
    true
}

/// The rules that a line names: a game's title, a tournament, or both.
fn rules(line: &str) -> Vec<&'static str> {
    let said = plain(line);
    let has = |name: &str| !name.is_empty() && said.contains(name);
    if let Some(card) = engine::rulesets().map(engine::Ruleset::card).find(|card| line.contains(card.id)) {
        return vec![card.id];
    }
    // Of a title with two names, both say more than one.
    let titles = |names: &[String]| names.iter().filter(|name| has(name.as_str())).count();
    let counted: Vec<_> = NAMED.iter().map(|named| (named.card, titles(&named.titles))).collect();
    let most = counted.iter().map(|(_, count)| *count).max().unwrap_or_default();
    let titled: Vec<_> =
        counted.into_iter().filter(|(_, count)| most > 0 && *count == most).map(|(card, _)| card).collect();
    let hosted = |card: &&engine::RulesetCard| {
        let words = words(card.hosting).map(str::to_lowercase);
        // A tournament is called by one of its words, too.
        words.filter(|word| word.len() > 4 && !["genius", "final"].contains(&word.as_str())).any(|word| has(&word))
    };
    let mut found: Vec<_> = titled.iter().filter(|card| hosted(card)).copied().collect();
    if found.is_empty() {
        found.clone_from(&titled);
    }
    // "Legends Untold", "DM Colosseum 2 rules": a tournament, and little else.
    let alone = |name: &String| has(name) && name != "genius" && said.len() < name.len() + AROUND_HOSTING;
    if titled.is_empty() {
        let is_named = |named: &&Named| named.hostings.iter().any(alone);
        found = NAMED.iter().filter(is_named).map(|named| named.card).collect();
    }
    // The final of a tournament has rules of its own.
    let is_final = |card: &&engine::RulesetCard| card.hosting.ends_with("final");
    if found.len() > 1 && found.iter().all(hosted) {
        let of_final = has("final");
        found.retain(|card| is_final(card) == of_final);
    }
    found.iter().map(|card| card.id).collect()
}

/// True if a name is on more than one of these lines, which are in lower case.
fn is_repeated(lines: &[String], name: &str, searched: &mut usize) -> bool {
    *searched += 1;
    let name = name.to_lowercase();
    *searched <= SEARCHED_MOST && lines.iter().filter(|line| line.contains(&name)).nth(1).is_some()
}

/// The player whom a text names last.
fn last_player(text: &str, speakers: &Speakers) -> Option<Seat> {
    let begins = text.char_indices().rev().filter(|(at, letter)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        letter.is_alphanumeric() && before.is_none_or(|before| !before.is_alphanumeric())
    });
    begins.filter_map(|(at, _)| speakers.leading_seat(text.get(at..)?)).map(|(seat, _)| seat).next()
}

/// The sentences of a text. A title before a name ends none: "Dr. Pelican".
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices(". ").map(|(at, _)| at).filter(|at| {
        let word = text.get(..*at).and_then(|before| before.rsplit([' ', '@']).next()).unwrap_or_default();
        !TITLES.contains(&word.to_lowercase().as_str())
    });
    let mut from = 0;
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    ends.into_iter().map(move |end| {
        let sentence = text.get(from..end).unwrap_or_default();
        from = end + 2;
        sentence
    })
}

/// The words of a text that can be a name: the last of many, or the first.
fn named(text: &str, last: bool) -> String {
    let name = bare_name(text.trim().trim_start_matches('@'));
    let words: Vec<&str> = name.split_whitespace().collect();
    let titled = words.first().is_some_and(|first| first.ends_with('.'));
    match words.as_slice() {
        [.., word] if words.len() > 2 && last => (*word).to_owned(),
        [one, other, ..] if words.len() > 2 && titled => format!("{one} {other}"),
        [word, ..] if words.len() > 2 => (*word).to_owned(),
        _ => name.trim_end_matches(['.', '?']).to_owned(),
    }
}

fn is_player(name: &str) -> bool {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let lower = |word: &str| word.starts_with(char::is_lowercase);
    let cased = words.len() == 1 || !name.split_whitespace().any(lower);
    is_name(name)
        && cased
        && name.len() > 1
        && !words.iter().any(|word| NO_PLAYER.split(' ').any(|known| known == word) || word.parse::<u32>().is_ok())
}

/// The names in a title: "Setna's Curse (Five-Card Trick)" has two.
fn names(title: &str) -> Vec<String> {
    title.split(['(', ')', ':', ',']).map(plain).filter(|name| name.len() > 3).collect()
}

/// A ruleset with the names of its game and of its tournament.
struct Named {
    card: &'static engine::RulesetCard,
    titles: Vec<String>,
    hostings: Vec<String>,
}

/// All rulesets. Every line of a chat is held against them.
static NAMED: LazyLock<Vec<Named>> = LazyLock::new(|| {
    let named =
        |card: &'static engine::RulesetCard| Named { card, titles: names(&card.title), hostings: names(card.hosting) };
    engine::rulesets().map(engine::Ruleset::card).map(named).collect()
});

/// Letters and figures alone, numbers in words.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace("5 card", "five card").replace("5-card", "five card");
    let lower = lower.replace("3 card", "three card").replace("3-card", "three card").replace("thirteen", "13");
    let lower = lower.strip_prefix("the ").unwrap_or(&lower).to_owned();
    lower.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Offers the first day that the lines name as the day of the match.
pub(crate) fn offer_day(rows: &mut [Row]) {
    let fits = |order: Order| {
        let both = |row: &&Row| day(&row.source, Order::DayFirst).or(day(&row.source, Order::MonthFirst)).is_some();
        rows.iter().filter(both).take(500).all(|row| day(&row.source, order).is_some())
    };
    let orders: Vec<Order> = [Order::MonthFirst, Order::DayFirst].into_iter().filter(|order| fits(*order)).collect();
    let days = |row: &Row| {
        let mut days: Vec<String> = orders.iter().filter_map(|order| day(&row.source, *order)).collect();
        days.dedup();
        days
    };
    let Some(row) = rows.iter_mut().find(|row| !days(row).is_empty() && row.taken != Taken::Fact) else { return };
    for day in days(row) {
        row.offer(format!("Played on {day}"), vec![written("Date", &day), row.source.clone()]);
    }
}
