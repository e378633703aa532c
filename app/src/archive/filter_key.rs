//! A filter in an address: a parameter for each part, which is read, written and removed by itself.

use std::fmt::Display;

use ledger::Hash;
use store::archive::filter::DECLARED;

use super::{Filter, ResultFilter, VerdictFilter};
use crate::day::parse_day;

pub const VALUE_MAX_CHARS: usize = 200;
const NAME_SAID_CHARS: usize = 40;

/// Defines the parts of a filter: each with its field, its name in an address, and its label for people.
macro_rules! keys {
    ($($key:ident: $field:ident, $name:literal, $label:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key { $($key),+ }

        impl Key {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$key),+];

            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$key => $name),+ }
            }

            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$key => $label),+ }
            }

            #[must_use]
            pub fn value(self, filter: &Filter) -> Option<String> {
                match self { $(Self::$key => filter.$field.value()),+ }
            }

            fn clear(self, filter: &mut Filter) {
                match self { $(Self::$key => filter.$field = Default::default()),+ }
            }
        }
    };
}

keys! {
    Words: words, "q", "words";
    Game: game, "game", "game";
    Ruleset: ruleset, "ruleset", "ruleset";
    Event: event, "event", "event";
    Player: player, "player", "player";
    Seat: seat, "as", "chair";
    Against: against, "against", "opponent";
    Umpire: umpire, "umpire", "umpire";
    From: from, "from", "first day";
    Until: until, "to", "last day";
    RoundsFrom: rounds_from, "rounds_min", "fewest rounds";
    RoundsUntil: rounds_until, "rounds_max", "most rounds";
    Result: result, "result", "result";
    Ending: ending, "ending", "way of ending";
    Ruled: ruled, "rulings", "interventions";
    Verdict: verdict, "check", "check";
    Tag: tag, "tag", "tag";
}

/// A part of a filter as it is written in an address; none if it is not set.
trait Part {
    fn value(&self) -> Option<String>;
}

impl<T: Display> Part for Option<T> {
    fn value(&self) -> Option<String> {
        self.as_ref().map(T::to_string)
    }
}

impl Part for bool {
    fn value(&self) -> Option<String> {
        self.then(|| "yes".to_owned())
    }
}

impl Key {
    #[must_use]
    pub fn removed(self, filter: &Filter) -> Filter {
        let mut wider = filter.clone();
        self.clear(&mut wider);
        if self == Self::Player {
            // Seat and opponent are the player's.
            (wider.seat, wider.against) = (None, None);
        }
        wider
    }

    /// Sets it. The error is a sentence.
    fn set(self, filter: &mut Filter, value: String) -> Result<(), String> {
        let on =
            |value: &str| parse_day(value).ok_or_else(|| format!("“{value}” is no day; write it like 2026-11-20."));
        let rounds = |value: &str| {
            value.parse::<u32>().map_err(|_| format!("“{value}” is no number of rounds; write it like 25."))
        };
        match self {
            Self::Words => filter.words = Some(value),
            Self::Game if is_declared(&value) => filter.game = Some(value),
            Self::Game if engine::rulesets().any(|ruleset| ruleset.game() == value) => filter.game = Some(value),
            Self::Game => return Err(format!("There is no game “{value}”.")),
            Self::Ruleset if engine::ruleset(&value).is_ok() => filter.ruleset = Some(value),
            Self::Ruleset => return Err(format!("There is no ruleset “{value}”.")),
            Self::Event => filter.event = Some(value),
            Self::Player => filter.player = Some(value),
            Self::Against => filter.against = Some(value),
            Self::Umpire => filter.umpire = Some(value),
            Self::From => filter.from = Some(on(&value)?),
            Self::Until => filter.until = Some(on(&value)?),
            Self::RoundsFrom => filter.rounds_from = Some(rounds(&value)?),
            Self::RoundsUntil => filter.rounds_until = Some(rounds(&value)?),
            Self::Ending => match endings() {
                known if known.contains(&value.as_str()) => filter.ending = Some(value),
                known => {
                    return Err(format!("There is no way of ending “{value}”; there are {}.", words(&known)));
                }
            },
            Self::Ruled => match value.as_str() {
                "yes" => filter.ruled = true,
                value => return Err(format!("“rulings” is yes or not there, and not “{value}”.")),
            },
            Self::Tag => filter.tag = Some(value),
            Self::Seat => match value.parse() {
                Ok(seat) => filter.seat = Some(seat),
                Err(_) => return Err(format!("There is no chair “{value}”; there are p1, p2, dmo and ec.")),
            },
            Self::Result => match value.parse() {
                Ok(result) => filter.result = Some(result),
                Err(_) => return Err(format!("There is no result “{value}”; there are {}.", words(ResultFilter::ALL))),
            },
            Self::Verdict => match value.parse() {
                Ok(verdict) => filter.verdict = Some(verdict),
                Err(_) => return Err(format!("A check finds no “{value}”; there are {}.", words(VerdictFilter::ALL))),
            },
        }
        Ok(())
    }
}

/// True for all declared games, and for one of them.
fn is_declared(game: &str) -> bool {
    let hash = game.strip_prefix(DECLARED).map(|hash| hash.strip_prefix('/').unwrap_or(hash));
    hash.is_some_and(|hash| game == DECLARED || hash.parse::<Hash>().is_ok())
}

fn endings() -> Vec<&'static str> {
    let of_games = engine::rulesets().flat_map(|ruleset| ruleset.endings()).map(|reason| reason.word);
    let mut words: Vec<&str> = of_games.chain([engine::Reason::UMPIRE.word]).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn words(known: &[impl Display]) -> String {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    match known.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[must_use]
pub fn unknown_parameter(parameters: &[(String, String)], others: &[&'static str]) -> Option<String> {
    let known: Vec<&str> = Key::ALL.into_iter().map(Key::name).chain(others.iter().copied()).collect();
    let (name, _) = parameters.iter().find(|(name, _)| !known.contains(&name.as_str()))?;
    let name: String = name.chars().filter(|sign| !sign.is_control()).take(NAME_SAID_CHARS).collect();
    Some(format!("There is no parameter “{name}” here; there are {}.", words(&known)))
}

fn searched(words: &str) -> String {
    let plain = words.chars().map(|sign| if sign.is_control() { ' ' } else { sign });
    plain.take(VALUE_MAX_CHARS).collect::<String>().trim().to_owned()
}

/// Reads a filter from the parameters of an address. Invalid parts are left out; there is a sentence for each. Empty and
/// unknown parameters are ignored, and of several with one name the first counts.
#[must_use]
pub fn read_filter(parameters: &[(String, String)]) -> (Filter, Vec<String>) {
    let (mut filter, mut wrong) = (Filter::default(), Vec::new());
    for (name, value) in parameters {
        let Some(key) = Key::ALL.into_iter().find(|key| key.name() == name) else { continue };
        let words = searched(value);
        let value = if matches!(key, Key::Words) { words.as_str() } else { value.trim() };
        if value.is_empty() {
            continue;
        }
        if value.chars().count() > VALUE_MAX_CHARS || value.contains(char::is_control) {
            wrong.push(format!("The value of “{name}” is none that could be in the archive."));
        } else if key.value(&filter).is_some() {
            wrong.push(format!("“{name}” is listed more than once, and counts once: the first."));
        } else if let Err(why) = key.set(&mut filter, value.to_owned()) {
            wrong.push(why);
        }
    }
    let nobody = filter.player.is_none();
    for key in [Key::Seat, Key::Against] {
        if nobody && key.value(&filter).is_some() {
            wrong.push(format!("“{}” says something of a player, and needs one.", key.name()));
            filter = key.removed(&filter);
        }
    }
    // Without a player, "lost" would list the same matches as "won".
    if nobody && filter.result == Some(ResultFilter::Lost) {
        wrong.push(
            "“result=lost” says something of a player, and needs one; “won” finds every match that was won.".into(),
        );
        filter = Key::Result.removed(&filter);
    }
    (filter, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::SeatFilter;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn full() -> Filter {
        Filter {
            game: Some("five-card-trick".into()),
            ruleset: Some("five-card-trick/genius-puzzler".into()),
            event: Some("Winter & Duels = 50% + 1".into()),
            player: Some("Zoë #1".into()),
            seat: Some(SeatFilter::Dmo),
            against: Some("noor".into()),
            umpire: Some("ab12".into()),
            from: "2025-01-31".parse().ok(),
            until: "2026-01-01".parse().ok(),
            rounds_from: Some(5),
            rounds_until: Some(25),
            result: Some(ResultFilter::Lost),
            ending: Some("more-chips".into()),
            ruled: true,
            verdict: Some(VerdictFilter::Rulings),
            tag: Some("Season 4".into()),
            words: Some("late and later".into()),
        }
    }

    #[test]
    fn every_part_is_written_and_read_back() {
        let parameters = Key::ALL.map(|key| (key.name().to_owned(), key.value(&full()).unwrap()));
        assert_eq!(read_filter(&parameters), (full(), Vec::new()));
    }

    #[test]
    fn an_empty_form_asks_for_everything() {
        let empty = Key::ALL.map(|key| (key.name().to_owned(), " ".to_owned()));
        assert_eq!(read_filter(&empty), (Filter::default(), Vec::new()));
        assert_eq!(read_filter(&pairs(&[("x", "y")])), (Filter::default(), Vec::new()));
    }

    #[test]
    fn each_invalid_part_has_a_sentence() {
        let wrong = pairs(&[
            ("game", "chess"),
            ("result", "lost"),
            ("player", "a\0b"),
            ("ruleset", "x/y"),
            ("from", "yesterday"),
            ("rounds_min", "-1"),
            ("check", "fine"),
            ("rulings", "no"),
            ("as", "p3"),
            ("against", "noor"),
            ("ending", "zz"),
        ]);
        let (filter, said) = read_filter(&wrong);
        assert_eq!(filter, Filter::default());
        assert_eq!(said.len(), wrong.len(), "{said:?}");
        assert_eq!(read_filter(&pairs(&[("result", "drawn")])).1.len(), 1);
        let (twice, said) = read_filter(&pairs(&[("player", ""), ("player", "Ada"), ("player", "Bo")]));
        assert_eq!((twice.player.as_deref(), said.len()), (Some("Ada"), 1), "the first counts: {said:?}");
    }

    #[test]
    fn any_text_can_be_searched_for() {
        let words = |typed: &str| match read_filter(&pairs(&[("q", typed)])) {
            (filter, wrong) if wrong.is_empty() => filter.words,
            (_, wrong) => panic!("{wrong:?}"),
        };
        assert_eq!(words("late\0 and\u{7f}later\n").as_deref(), Some("late  and later"));
        assert_eq!(words(&"x".repeat(201)), Some("x".repeat(200)));
        assert_eq!((words("\0\0"), words("")), (None, None));
        assert_eq!(words("\u{fffd}").as_deref(), Some("\u{fffd}"), "what was no text");
    }

    #[test]
    fn every_way_of_ending_is_known() {
        for word in ["more-chips", "dmo", "umpire", "three-boards"] {
            assert_eq!(read_filter(&pairs(&[("ending", word)])).0.ending.as_deref(), Some(word));
        }
        let said = read_filter(&pairs(&[("ending", "zz")])).1.concat();
        assert!(said.starts_with("There is no way of ending “zz”; there are "), "{said}");
        assert!(said.contains("more-chips") && said.contains("umpire"), "{said}");
    }

    #[test]
    fn an_unknown_parameter_is_named_with_the_known_ones() {
        let known = Key::ALL.map(|key| (key.name().to_owned(), String::new()));
        assert_eq!(unknown_parameter(&known, &[]), None);
        let page = pairs(&[("player", "x"), ("after", "y")]);
        assert_eq!(unknown_parameter(&page, &["after"]), None);
        let said = unknown_parameter(&page, &["spoilers"]).unwrap();
        assert!(said.starts_with("There is no parameter “after” here; there are q, game, "), "{said}");
        assert!(said.ends_with("tag and spoilers."), "{said}");
    }

    #[test]
    fn one_part_is_removed_and_the_others_stay() {
        for key in Key::ALL {
            let wider = key.removed(&full());
            let gone: Vec<Key> = Key::ALL.into_iter().filter(|key| key.value(&wider).is_none()).collect();
            let expected = if key == Key::Player { vec![Key::Player, Key::Seat, Key::Against] } else { vec![key] };
            assert_eq!(gone, expected);
        }
    }
}
