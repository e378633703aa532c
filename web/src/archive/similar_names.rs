//! Names similar to one that nobody has. A filter compares whole names, but readers may know only the beginning.

use app::archive::{Filter, Key};
use app::{App, AppError};
use record::name_key;

use super::query::address;
use crate::http::Spoilers;

/// The number of names offered for one.
const NAMES_MAX: usize = 8;
/// The Jaro-Winkler similarity from which two names are alike.
const SIMILARITY_MIN: f64 = 0.85;

/// The similar names for one that is not there.
#[derive(Debug)]
pub(super) struct SimilarNames {
    /// The kind of name.
    pub(super) what: &'static str,
    /// The name as it was requested.
    pub(super) requested: String,
    /// Each name, with the address of the list that uses it instead.
    pub(super) names: Vec<(String, String)>,
}

/// For each name of the filter that is not in the archive: names with the same beginning or a similar spelling.
pub(super) async fn similar_names(
    app: &App,
    filter: &Filter,
    spoilers: Spoilers,
) -> Result<Vec<SimilarNames>, AppError> {
    let mut all = Vec::new();
    for key in [Key::Player, Key::Against, Key::Event] {
        let Some(requested) = key.value(filter) else { continue };
        let folded = name_key(&requested);
        let mut names = names_beginning(app, key, &folded).await?;
        if names.iter().any(|(key, _)| *key == folded) {
            continue;
        }
        names.retain(|(key, _)| key.starts_with(&folded));
        if let (true, Some(first)) = (names.is_empty(), folded.chars().next()) {
            names = names_beginning(app, key, &first.to_string()).await?;
            names.retain(|(key, _)| strsim::jaro_winkler(&letters(key), &letters(&folded)) >= SIMILARITY_MIN);
        }
        let instead = |(_, name): (String, String)| {
            let mut filter = filter.clone();
            match key {
                Key::Player => filter.player = Some(name.clone()),
                Key::Against => filter.against = Some(name.clone()),
                _ => filter.event = Some(name.clone()),
            }
            (name, address(&filter, spoilers))
        };
        let names: Vec<_> = names.into_iter().take(NAMES_MAX).map(instead).collect();
        if !names.is_empty() {
            all.push(SimilarNames { what: key.label(), requested, names });
        }
    }
    Ok(all)
}

/// The names with this beginning, as compared and as written.
async fn names_beginning(app: &App, key: Key, begins: &str) -> Result<Vec<(String, String)>, AppError> {
    if key != Key::Event {
        let (players, _) = app.archive.players(begins, None, None).await?;
        return Ok(players.into_iter().map(|player| (player.key, player.name)).collect());
    }
    let mut events: Vec<_> = app.archive.event(begins).await?.map(|page| page.event).into_iter().collect();
    events.extend(app.archive.events(Some(begins), None).await?.0);
    events.retain(|event| event.key.starts_with(begins));
    Ok(events.into_iter().map(|event| (event.key, event.name)).collect())
}

/// The letters and digits of a name, so that `O'Malley` and `omalley` are alike.
fn letters(key: &str) -> String {
    key.chars().filter(|sign| sign.is_alphanumeric()).collect()
}
