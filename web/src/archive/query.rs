//! The archive's filter, read from an address and written to one. The address is the whole state of the list.

use askama::filters::urlencode_strict;

use crate::book::{Filter, ResultFilter};

/// Longer values are nobody's name.
const VALUE_MAX_CHARS: usize = 200;

/// A filter's part that can be removed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Game,
    Ruleset,
    Event,
    Player,
    Result,
}

impl Key {
    pub(super) const ALL: [Self; 5] = [Self::Game, Self::Ruleset, Self::Event, Self::Player, Self::Result];

    /// Its name in an address.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Ruleset => "ruleset",
            Self::Event => "event",
            Self::Player => "player",
            Self::Result => "result",
        }
    }

    /// Its value in a filter.
    pub(super) fn value(self, filter: &Filter) -> Option<&str> {
        match self {
            Self::Game => filter.game.as_deref(),
            Self::Ruleset => filter.ruleset.as_deref(),
            Self::Event => filter.event.as_deref(),
            Self::Player => filter.player.as_deref(),
            Self::Result => filter.result.map(ResultFilter::word),
        }
    }

    /// The filter without it.
    pub(super) fn removed(self, filter: &Filter) -> Filter {
        let mut wider = filter.clone();
        match self {
            Self::Game => wider.game = None,
            Self::Ruleset => wider.ruleset = None,
            Self::Event => wider.event = None,
            Self::Player => wider.player = None,
            Self::Result => wider.result = None,
        }
        wider
    }
}

/// What an address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) filter: Filter,
    /// The place after which the page begins.
    pub(super) after: Option<String>,
    /// What of it cannot be, in sentences.
    pub(super) wrong: Vec<String>,
}

/// Reads the parameters of an address. Empty ones are as good as none, and unknown ones are left alone.
pub(super) fn read(parameters: Vec<(String, String)>) -> Asked {
    let mut asked = Asked::default();
    for (name, value) in parameters {
        let value = value.trim().to_owned();
        if value.is_empty() {
            continue;
        }
        if value.chars().count() > VALUE_MAX_CHARS || value.contains(char::is_control) {
            asked.wrong.push(format!("The value of “{name}” is none that could be in the archive."));
            continue;
        }
        match name.as_str() {
            "game" if engine::rulesets().any(|ruleset| ruleset.game() == value) => asked.filter.game = Some(value),
            "game" => asked.wrong.push(format!("There is no game “{value}”.")),
            "ruleset" if engine::ruleset(&value).is_ok() => asked.filter.ruleset = Some(value),
            "ruleset" => asked.wrong.push(format!("There is no ruleset “{value}”.")),
            "event" => asked.filter.event = Some(value),
            "player" => asked.filter.player = Some(value),
            "result" => match value.parse() {
                Ok(result) => asked.filter.result = Some(result),
                Err(_) => asked
                    .wrong
                    .push(format!("There is no result “{value}”; there are won, lost, undecided, void and running.")),
            },
            "after" => asked.after = Some(value),
            _ => {}
        }
    }
    asked
}

/// The address of a filter.
pub(super) fn address(filter: &Filter, after: Option<&str>) -> String {
    let values = Key::ALL.into_iter().filter_map(|key| Some((key.name(), key.value(filter)?)));
    let mut address = String::from("/archive");
    for (n, (name, value)) in values.chain(after.map(|after| ("after", after))).enumerate() {
        let Ok(value) = urlencode_strict(value);
        address.push_str(&format!("{}{name}={value}", if n == 0 { "?" } else { "&" }));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_filter_becomes_an_address_and_comes_back() {
        let filter = Filter {
            game: Some("five-card-trick".into()),
            ruleset: Some("five-card-trick/genius-puzzler".into()),
            event: Some("Winter & Duels = 50% + 1".into()),
            player: Some("Zoë #1".into()),
            result: Some(ResultFilter::Lost),
            ..Filter::default()
        };
        let address = address(&filter, Some("12-ab"));
        let uri: axum::http::Uri = address.parse().unwrap();
        let axum::extract::Query(parameters) = axum::extract::Query::try_from_uri(&uri).unwrap();
        assert_eq!(read(parameters), Asked { filter, after: Some("12-ab".into()), wrong: Vec::new() });
    }

    #[test]
    fn an_empty_form_asks_for_everything() {
        let asked = read(pairs(&[("game", ""), ("event", "  "), ("player", ""), ("result", ""), ("x", "y")]));
        assert_eq!(asked, Asked::default());
        assert_eq!(address(&asked.filter, None), "/archive");
    }

    #[test]
    fn what_cannot_be_is_said() {
        let asked = read(pairs(&[("game", "chess"), ("result", "drawn"), ("player", "a\0b"), ("ruleset", "x/y")]));
        assert_eq!(asked.filter, Filter::default());
        assert_eq!(asked.wrong.len(), 4, "{:?}", asked.wrong);
    }

    #[test]
    fn one_part_is_removed_and_the_others_stay() {
        let asked = read(pairs(&[("player", "noor"), ("result", "won")]));
        assert_eq!(address(&Key::Player.removed(&asked.filter), None), "/archive?result=won");
        assert_eq!(address(&Key::Result.removed(&asked.filter), None), "/archive?player=noor");
    }
}
