//! The form of the archive's filter: the values to choose, and the chosen ones.

use app::archive::{DECLARED, Filter, FilterChoices, Key, ResultFilter, SeatFilter, VerdictFilter};
use record::words::{capital, ending_words};

pub(super) struct FilterForm {
    pub(super) games: Vec<SelectOption>,
    pub(super) rulesets: Vec<(&'static str, Vec<SelectOption>)>,
    pub(super) results: Vec<SelectOption>,
    pub(super) seats: Vec<SelectOption>,
    pub(super) endings: Vec<SelectOption>,
    pub(super) verdicts: Vec<SelectOption>,
    pub(super) players: Vec<String>,
    pub(super) events: Vec<String>,
    pub(super) umpires: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) filter: Filter,
}

pub(super) struct SelectOption {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) selected: bool,
}

impl SelectOption {
    fn new(value: &str, label: impl Into<String>, selected: Option<&str>) -> Self {
        Self { value: value.to_owned(), label: label.into(), selected: selected == Some(value) }
    }
}

impl FilterForm {
    pub(super) fn of(offered: &FilterChoices, filter: Filter) -> Self {
        let names = &offered.umpire_names;
        let umpires = offered.umpires.iter().map(|id| names.of(id).unwrap_or(id).to_owned()).collect();
        let ending = filter.ending.as_deref();
        let word = filter.result.map(ResultFilter::word);
        let results = ResultFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), word));
        let seat = filter.seat.map(SeatFilter::word);
        let seats = SeatFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), seat));
        let found = filter.verdict.map(VerdictFilter::word);
        let verdicts = VerdictFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), found));
        Self {
            games: games(&filter),
            rulesets: rulesets(&filter),
            results: results.collect(),
            seats: seats.collect(),
            endings: offered
                .endings
                .iter()
                .map(|word| SelectOption::new(word, capital(&ending_words(word)), ending))
                .collect(),
            verdicts: verdicts.collect(),
            players: offered.players.clone(),
            events: offered.events.clone(),
            umpires,
            tags: offered.tags.clone(),
            filter,
        }
    }

    pub(super) fn text(&self, name: &str) -> String {
        let key = Key::ALL.into_iter().find(|key| key.name() == name);
        key.and_then(|key| key.value(&self.filter)).unwrap_or_default()
    }
}

pub(super) fn game_name(game: &str) -> &str {
    let known = engine::rulesets().find(|ruleset| ruleset.game() == game);
    match known {
        Some(ruleset) => &ruleset.card().title,
        None if game == DECLARED => "Other games",
        None if game.starts_with(DECLARED) => "one declared game",
        None => game,
    }
}

/// The games of a list: those with rules, and all others together.
pub(super) fn listed_games() -> Vec<&'static str> {
    let mut games: Vec<&str> = engine::rulesets().map(|ruleset| ruleset.game()).collect();
    games.dedup();
    games.push(DECLARED);
    games
}

fn games(filter: &Filter) -> Vec<SelectOption> {
    // One declared game, which its page leads to, stays chosen.
    let one = filter.game.as_deref().filter(|game| !listed_games().contains(game));
    listed_games()
        .into_iter()
        .chain(one)
        .map(|game| SelectOption::new(game, game_name(game), filter.game.as_deref()))
        .collect()
}

fn rulesets(filter: &Filter) -> Vec<(&'static str, Vec<SelectOption>)> {
    let mut games: Vec<(&str, &'static str, Vec<SelectOption>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = SelectOption::new(card.id, card.hosting, filter.ruleset.as_deref());
        match games.last_mut() {
            Some((game, _, choices)) if *game == ruleset.game() => choices.push(choice),
            _ => games.push((ruleset.game(), &card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
}
