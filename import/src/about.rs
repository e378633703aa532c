//! What a chat says of its match in passing: by which rules, who played and who the DMO was, at which tournament, when. What is
//! plain is taken and shown on its line; what can be read in two ways is offered.

use std::collections::HashSet;
use std::sync::LazyLock;

use engine::{BySeat, Seat};

use super::clean::clean;
use super::effort;
use super::facts::Facts;
use super::fix::Who;
use super::items::{called, items_of};
use super::mended_tag::written;
use super::row::{Row, Taken};
use super::speaker::{Speakers, bare_name, is_name};
use super::times::{Order, day};
use super::wording::{self, is_in};

#[derive(Clone, Debug, Default)]
pub(super) struct About {
    facts: Facts,
    /// The rows that say a fact, and what they say.
    said: Vec<(usize, String)>,
    /// Rows that say nothing else.
    only: Vec<usize>,
    rulesets: Option<(usize, Vec<&'static str>)>,
    dmo: Option<(usize, String)>,
    ec: Option<(usize, String)>,
    /// The row with which another match begins: it names other rules, or other players, than a row above it.
    another: Option<usize>,
    items: Vec<(usize, String)>,
    /// All lines in lower case: a player's name stands on more than one.
    lines: Vec<String>,
    searched: usize,
}

/// Tags, each with the words that may stand before a colon and its value.
const KEYS: [(&str, &str); 7] = [
    ("Ruleset", "game|rules|ruleset|format|variant|death match"),
    ("Event", "event|tournament|season"),
    ("Date", "date|played|played on"),
    ("DMO", "dmo|death match opponent"),
    ("EC", "ec"),
    ("Players", "players|match"),
    ("Options", "options"),
];

impl About {
    /// Looks through the lines, each with its row.
    pub(super) fn of(lines: &[(usize, &str)]) -> Self {
        let mut about = Self { lines: lines.iter().map(|(_, line)| line.to_lowercase()).collect(), ..Self::default() };
        for (at, line) in lines {
            let line = clean(&line.replace('⚔', " vs "));
            let line = line.trim_matches(|letter: char| "=~#-–— ".contains(letter));
            if line.to_lowercase().contains("item") && !line.contains('?') {
                about.items.push((*at, line.to_owned()));
            }
            let keyed = line.split_once([':', '=']).and_then(|(key, value)| {
                let key = key.trim().to_lowercase();
                KEYS.iter()
                    .find(|(_, keys)| keys.split('|').any(|known| known == key))
                    .map(|(tag, _)| (*tag, value.trim()))
            });
            match keyed.filter(|(_, value)| !value.is_empty()) {
                Some((tag, value)) => about.keyed(*at, tag, value),
                None => about.in_passing(*at, line),
            }
            if about.another.is_some() {
                break;
            }
        }
        about
    }

    fn keyed(&mut self, at: usize, tag: &str, value: &str) {
        match tag {
            "Ruleset" => {
                self.plays_by(at, self.rules(value, true));
                self.in_passing(at, value);
            }
            "DMO" => self.dmo = self.dmo.take().or_else(|| Some((at, bare_name(value)))),
            "EC" => self.ec = self.ec.take().or_else(|| Some((at, bare_name(value)))),
            "Players" => {
                self.in_passing(at, value);
                let players = self.players(&value.replace(" and ", " vs "));
                self.are_players(at, players);
            }
            "Date" => match [Order::DayFirst, Order::MonthFirst].map(|order| day(value, order)) {
                [Some(one), other] if other.as_ref().is_none_or(|other| *other == one) => self.takes(at, "Date", &one),
                [None, Some(one)] => self.takes(at, "Date", &one),
                _ => {}
            },
            tag => self.takes(at, tag, value),
        }
        self.only.push(at);
    }

    fn in_passing(&mut self, at: usize, line: &str) {
        if line.len() > 500 || line.contains('?') {
            return;
        }
        let rules = self.rules(line, false);
        // Once they are known, other players count only beside the name of a game.
        let counts = self.facts.names.p1.is_empty() || !rules.is_empty();
        let players = if counts { self.players(line) } else { None };
        if self.is_another(&rules, players.as_ref()) {
            self.another = Some(at);
            return;
        }
        self.plays_by(at, rules);
        self.are_players(at, players);
        let lower = line.to_lowercase();
        for (mark, is_dmo) in [
            ("(dmo)", true),
            ("(has dm advantage", true),
            ("(ec)", false),
            (" is the dmo", true),
            (" is dmo", true),
            (" is the ec", false),
        ] {
            let Some(before) = lower.find(mark).and_then(|end| line.get(..end)) else { continue };
            let place = if is_dmo { &mut self.dmo } else { &mut self.ec };
            place.get_or_insert((at, before.to_owned()));
        }
    }

    /// Whether a line that names rules and two players names others than those above.
    fn is_another(&self, rules: &[&str], players: Option<&BySeat<String>>) -> bool {
        let names = &self.facts.names;
        let (Some((_, before)), Some(players)) = (&self.rulesets, players) else { return false };
        if rules.len() != 1 || before.len() != 1 || names.p1.is_empty() {
            return false;
        }
        let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        let of = |seat: Seat| Seat::BOTH.iter().any(|other| same(&players[*other], &names[seat]));
        rules != before.as_slice() || !Seat::BOTH.into_iter().all(of)
    }

    fn takes(&mut self, at: usize, tag: &str, value: &str) {
        let mut known = Facts::default();
        if known.take(tag, value) {
            let before = self.facts.clone();
            self.facts = before.or(&known);
            self.said.push((at, format!("{tag}: {value}")));
        }
    }

    /// "Black vs White", where nothing but names stands around it.
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

    fn are_players(&mut self, at: usize, names: Option<BySeat<String>>) {
        if let Some(names) = names.filter(|_| self.facts.names.p1.is_empty()) {
            self.said.push((at, format!("Players: {}, {}", names.p1, names.p2)));
            self.facts.names = names;
        }
    }

    /// The rules that a line names: a game's title, a tournament, or both.
    fn rules(&self, line: &str, keyed: bool) -> Vec<&'static str> {
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
            let words = wording::words(card.hosting).map(str::to_lowercase);
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
            let is_named = |named: &&Named| (keyed && hosted(&named.card)) || named.hostings.iter().any(alone);
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

    fn plays_by(&mut self, at: usize, ids: Vec<&'static str>) {
        if ids.is_empty() {
            return;
        }
        if self.rulesets.as_ref().is_none_or(|(_, before)| ids.len() < before.len()) {
            self.rulesets = Some((at, ids));
        }
        // The tournament may be named on another line.
        if self.rulesets.as_ref().is_some_and(|(_, ids)| ids.len() > 1) {
            self.said.retain(|(row, _)| *row != at);
        }
    }

    /// Of two matches the first is read, until somebody says which is meant.
    fn leave_out_another(&self, rows: &mut [Row], lines: &mut Vec<(usize, &str)>) {
        if let Some(at) = self.another {
            rows.get_mut(at).into_iter().for_each(Row::begins_another);
            lines.retain(|(row, _)| *row < at);
        }
    }

    /// Fills in what is not known yet, and marks the rows that say it. The rows left are those that may say moves.
    pub(super) fn fill(self, facts: &mut Facts, speakers: &Speakers, rows: &mut [Row], lines: &mut Vec<(usize, &str)>) {
        self.leave_out_another(rows, lines);
        let Self { facts: mut found, mut said, mut only, rulesets, dmo, ec, items, .. } = self;
        if !facts.names.p1.is_empty() || !facts.names.p2.is_empty() {
            said.retain(|(_, words)| !words.starts_with("Players: "));
            found.names = BySeat::default();
        }
        if let Some((at, ids)) = &rulesets
            && facts.ruleset.is_empty()
        {
            match ids.as_slice() {
                [id] => {
                    found.ruleset = (*id).to_owned();
                    said.push((*at, format!("Rules: {id}")));
                }
                several => {
                    let Some(row) = rows.get_mut(*at) else { return };
                    row.refuse("by which of these rules was it played?");
                    row.fixes.clear();
                    for id in several {
                        row.offer(format!("By {id}"), vec![written("Ruleset", id), row.source.clone()]);
                    }
                }
            }
        }
        *facts = std::mem::take(facts).or(&found);
        if facts.dmo.is_empty() {
            let names = facts.names.clone();
            let mut all = speakers.clone();
            for (seat, name) in names.each() {
                all.add(name, Who::of(seat));
            }
            let seat = |text: &str| last_player(text, &all);
            let by_dmo = dmo.as_ref().and_then(|(at, name)| Some((*at, seat(name)?)));
            let by_ec = ec.as_ref().and_then(|(at, name)| Some((*at, seat(name)?.other())));
            if let Some((at, seat)) = by_dmo.or(by_ec) {
                facts.dmo = seat.word().to_owned();
                said.push((at, format!("DMO: {}", names[seat])));
            } else if let Some((_, name)) = dmo.filter(|_| names.p1.is_empty() && names.p2.is_empty()) {
                // Until the first moves tell who sits where, all that counts is that there is one.
                let _ = name;
                facts.dmo = Seat::P1.word().to_owned();
            }
        }
        for (at, line) in items {
            if let Some((seat, words, alone)) = items_of(&line, facts, speakers) {
                facts.items[seat] = words.join(" ");
                said.push((at, format!("Items: {} of {}", words.join(", "), called(facts, seat))));
                only.extend(alone.then_some(at));
            }
        }
        for (at, words) in said {
            if let Some(row) = rows.get_mut(at).filter(|row| row.wrong.is_none()) {
                row.words = if row.words.is_empty() { words } else { format!("{}; {words}", row.words) };
            }
        }
        say_nothing_else(only.into_iter().collect(), rows, lines);
    }
}

/// These rows say facts alone, and no moves.
fn say_nothing_else(only: HashSet<usize>, rows: &mut [Row], lines: &mut Vec<(usize, &str)>) {
    lines.retain(|(at, _)| !only.contains(at));
    for at in only {
        if let Some(row) = rows.get_mut(at).filter(|row| row.wrong.is_none()) {
            row.taken = Taken::Fact;
        }
    }
}

/// Letters beside a tournament on a line that names it.
const AROUND_HOSTING: usize = 20;
/// What stands between two players.
const VERSUS: [&str; 7] = [" vs. ", " vs ", " versus ", " v. ", " v ", " against ", " and @"];
/// Words that are no player's name before anybody knows by which rules was played.
const NO_PLAYER: &str = "score grow raise claim steal block front middle back discard pass stand refill fold call nothing both \
    me you us them him her it this that what who me";

/// Names that are looked for in all lines; a chat that has more before its players says who they are in another way.
const SEARCHED_MOST: usize = 500;

/// True if a name is on more than one of these lines, which are in lower case.
fn is_repeated(lines: &[String], name: &str, searched: &mut usize) -> bool {
    *searched += 1;
    let name = name.to_lowercase();
    let mut named = lines.iter().inspect(|_| effort::spend(1)).filter(|line| line.contains(&name));
    *searched <= SEARCHED_MOST && named.nth(1).is_some()
}

pub(super) fn last_player(text: &str, speakers: &Speakers) -> Option<Seat> {
    let begins = text.char_indices().rev().filter(|(at, letter)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        letter.is_alphanumeric() && before.is_none_or(|before| !before.is_alphanumeric())
    });
    let named = |at: usize| speakers.leading(text.get(at..)?).and_then(|(name, _)| speakers.who(name)?.seat());
    begins.map(|(at, _)| at).find_map(named)
}

/// The sentences of a text. A title before a name ends none: "Dr. Pelican".
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices(". ").map(|(at, _)| at).filter(|at| {
        let word = text.get(..*at).and_then(|before| before.rsplit([' ', '@']).next()).unwrap_or_default();
        !is_in("dr mr mrs ms st prof", &word.to_lowercase())
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
        && !words.iter().any(|word| is_in(NO_PLAYER, word) || word.parse::<u32>().is_ok())
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
        |card: &'static engine::RulesetCard| Named { card, titles: names(card.title), hostings: names(card.hosting) };
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
pub(super) fn offer_day(rows: &mut [Row]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_played_by_which_rules_is_found_in_passing() {
        for (line, p1, p2, dmo, ruleset) in [
            (
                "DM 9. Five-Card Trick, DM Colosseum 2 rules. ada vs Bo. Good luck!",
                "ada",
                "Bo",
                "",
                "five-card-trick/dm-colosseum-2",
            ),
            (
                "Game: Three-Card Trick, Simply Genius rules, @Ada (DMO) vs @Bo",
                "Ada",
                "Bo",
                "p1",
                "three-card/simply-genius",
            ),
            ("Players: @Ada (DMO) and @Bo", "Ada", "Bo", "p1", ""),
            (
                "THWART 13, Legends Untold, between Ada and Bo (death match 11). Go",
                "Ada",
                "Bo",
                "",
                "thwart-13/legends-untold",
            ),
            ("Ada score vs Bo grow", "", "", "", ""),
        ] {
            let text = [line, "Ada: hi", "Bo: hi"];
            let mut lines: Vec<(usize, &str)> = text.into_iter().enumerate().collect();
            let mut rows: Vec<Row> = text.iter().map(|line| Row::new(1, line, Taken::Later, "")).collect();
            let mut facts = Facts::default();
            About::of(&lines).fill(&mut facts, &Speakers::everywhere(), &mut rows, &mut lines);
            let found = (facts.names.p1.as_str(), facts.names.p2.as_str(), facts.dmo.as_str(), facts.ruleset.as_str());
            assert_eq!(found, (p1, p2, dmo, ruleset), "{line}");
        }
    }
}
