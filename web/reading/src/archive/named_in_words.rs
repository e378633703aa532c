//! What the words of a search that finds nothing may name: a game, a ruleset, or two players.

use app::App;
use app::archive::{Filter, NameKind, letters};
use app::views::ruleset_name;
use record::name_key;

use super::filter_form::game_name;
use super::query::address;
use page::{head_to_head_address, is_near, near_names, player_address};
use web_http::{Problem, Spoilers};

const LETTERS_MIN: usize = 3;
/// The number of rulesets that are offered.
const RULESETS_MAX: usize = 6;
const BETWEEN: [&str; 6] = ["vs", "vs.", "v", "v.", "versus", "against"];

/// The next steps after words that find nothing, each in words and with its address. The matches of a game or a ruleset
/// are offered only if there are any.
pub(super) async fn named_in_words(
    app: &App,
    filter: &Filter,
    spoilers: Spoilers,
) -> Result<Vec<(String, String)>, Problem> {
    let Some(words) = filter.words.as_deref() else { return Ok(Vec::new()) };
    let mut named = Vec::new();
    for (name, wider) in played_named(filter, words) {
        if app.archive().count(&wider).await?.counted > 0 {
            named.push((format!("Matches of {name}"), address(&wider, spoilers)));
        }
    }
    named.extend(players_named(app, words, spoilers).await?);
    Ok(named)
}

pub(super) fn played_named(filter: &Filter, words: &str) -> Vec<(String, Filter)> {
    let mut games: Vec<&str> = engine::rulesets().map(|ruleset| ruleset.game()).collect();
    games.dedup();
    let games = games.into_iter().filter(|game| is_named(game_name(game), words));
    let of_game = |game: &str| Filter { words: None, game: Some(game.to_owned()), ..filter.clone() };
    let games: Vec<(String, Filter)> = games.map(|game| (game_name(game).to_owned(), of_game(game))).collect();
    if !games.is_empty() {
        return games;
    }
    let rulesets = engine::rulesets().map(|ruleset| ruleset.card().id);
    let rulesets = rulesets.filter(|id| is_named(&ruleset_name(id), words)).take(RULESETS_MAX);
    let of_ruleset = |id: &str| Filter { words: None, ruleset: Some(id.to_owned()), ..filter.clone() };
    rulesets.map(|id| (ruleset_name(id), of_ruleset(id))).collect()
}

/// The games whose names are a slip away from these words.
pub(super) fn nearly_named(filter: &Filter, words: &str) -> Vec<(String, Filter)> {
    let mut games: Vec<&str> = engine::rulesets().map(|ruleset| ruleset.game()).collect();
    games.dedup();
    let near = games.into_iter().filter(|game| is_near(game_name(game), words));
    near.map(|game| (game_name(game).to_owned(), Filter { words: None, game: Some(game.to_owned()), ..filter.clone() }))
        .collect()
}

async fn players_named(app: &App, words: &str, spoilers: Spoilers) -> Result<Vec<(String, String)>, Problem> {
    let Some((one, other)) = two_names(words) else { return Ok(Vec::new()) };
    let known = app.archive().known_names().await?;
    let nearest = |asked: &str| near_names(&known, Some(NameKind::Player), asked).into_iter().next();
    let Some((one, other)) = nearest(&one).zip(nearest(&other)).filter(|(one, other)| one.key != other.key) else {
        return Ok(Vec::new());
    };
    let met = Filter { player: Some(one.name.clone()), against: Some(other.name.clone()), ..Filter::default() };
    if app.archive().count(&met).await?.counted > 0 {
        let address = spoilers.in_address(head_to_head_address(&one.name, &other.name));
        return Ok(vec![(format!("{} against {}", one.name, other.name), address)]);
    }
    let page = |name: &String| (name.clone(), spoilers.in_address(player_address(name)));
    Ok([&one.name, &other.name].map(page).into())
}

fn is_named(name: &str, words: &str) -> bool {
    let run = |text: &str| letters(&name_key(text));
    let parts = |text: &str| -> Vec<String> {
        let gap = |sign: char| !sign.is_alphanumeric() && !matches!(sign, '\'' | '\u{2019}');
        text.split(gap).map(run).filter(|part| !part.is_empty()).collect()
    };
    let (asked, known) = (parts(words), parts(name));
    run(words).chars().count() >= LETTERS_MIN
        && (run(name).starts_with(&run(words))
            || asked.iter().all(|asked| known.iter().any(|part| part.starts_with(asked.as_str()))))
}

fn two_names(words: &str) -> Option<(String, String)> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let at = words.iter().position(|word| BETWEEN.contains(&word.to_lowercase().as_str()))?;
    let (one, other) = (words.get(..at)?.join(" "), words.get(at + 1..)?.join(" "));
    (!one.is_empty() && !other.is_empty()).then_some((one, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_its_name_means_a_game() {
        let named = |words: &str| -> Vec<String> {
            played_named(&Filter::default(), words).into_iter().map(|(name, _)| name).collect()
        };
        for words in ["devil", "devils deal", "Devil\u{2019}s Deal", "deal devil", "devilsdeal"] {
            assert_eq!(named(words), ["Devil's Deal"], "{words}");
        }
        assert_eq!(named("thwart"), ["Thwart 13"]);
        assert_eq!(named("higher lower"), ["Higher or Lower"]);
        assert_eq!(named("three card").len(), 1);
        // Words of a ruleset alone mean that.
        let setna = named("setna");
        assert!(!setna.is_empty() && setna.iter().all(|name| name.contains("Setna")), "{setna:?}");
        assert_eq!(named("kestrel"), [""; 0]);
        assert_eq!(named("de"), [""; 0], "too few letters");
        assert_eq!(named("!?"), [""; 0]);
        let near =
            |words: &str| nearly_named(&Filter::default(), words).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!((near("thwort"), near("devlis")), (vec!["Thwart 13".to_owned()], vec!["Devil's Deal".to_owned()]));
        assert_eq!(near("kestrel"), [""; 0]);
    }

    #[test]
    fn a_game_takes_the_place_of_the_words_alone() {
        let filter = Filter { words: Some("thwart".into()), player: Some("Noor".into()), ..Filter::default() };
        let wider = Filter { words: None, game: Some("thwart-13".into()), ..filter.clone() };
        assert_eq!(played_named(&filter, "thwart"), [("Thwart 13".to_owned(), wider)]);
    }

    #[test]
    fn a_word_between_two_names_parts_them() {
        let parted = |words: &str| two_names(words).map(|(one, other)| format!("{one}|{other}"));
        assert_eq!(parted("noor vs quill").as_deref(), Some("noor|quill"));
        assert_eq!(parted("Dr. Pelican  Against Noor").as_deref(), Some("Dr. Pelican|Noor"));
        assert_eq!(["noor quill", "vs quill", "noor v."].map(parted), [const { None }; 3]);
    }
}
