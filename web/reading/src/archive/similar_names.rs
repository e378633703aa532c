//! A filter that finds nothing because a name or a word in it is not in the archive: the nearest ones instead.

use app::archive::{Filter, Key, KnownName, NameKind, letters};
use app::{App, AppError};
use record::name_key;

use super::query::address;
use page::{near_names, near_word};
use web_http::Spoilers;

/// The number of names offered for one.
const NAMES_MAX: usize = 8;

#[derive(Debug)]
pub(super) struct SimilarNames {
    pub(super) what: &'static str,
    pub(super) requested: String,
    pub(super) shown: String,
    pub(super) others: Vec<(String, String)>,
}

/// The filter with the nearest names and words that are in the archive; none if nothing in it is near to any.
pub(super) async fn similar_filter(
    app: &App,
    filter: &Filter,
    spoilers: Spoilers,
) -> Result<Option<(Filter, Vec<SimilarNames>)>, AppError> {
    let known = app.archive().known_names().await?;
    let (mut similar, mut all) = (filter.clone(), Vec::new());
    for key in [Key::Player, Key::Against, Key::Event] {
        let kind = if key == Key::Event { NameKind::Event } else { NameKind::Player };
        let Some(requested) = key.value(filter) else { continue };
        let folded = name_key(&requested);
        if known.iter().any(|name| name.kind == kind && name.key == folded) {
            continue;
        }
        let near = near_names(&known, Some(kind), &requested);
        let Some(nearest) = near.first() else { continue };
        similar = with_name(&similar, key, &nearest.name);
        let others = near.iter().skip(1).take(NAMES_MAX);
        let others = others.map(|name| (name.name.clone(), address(&with_name(filter, key, &name.name), spoilers)));
        all.push(SimilarNames { what: key.label(), requested, shown: nearest.name.clone(), others: others.collect() });
    }
    if let Some(words) = filter.words.as_ref().and_then(|words| similar_words(&known, words)) {
        all.push(SimilarNames {
            what: Key::Words.label(),
            requested: filter.words.clone().unwrap_or_default(),
            shown: words.clone(),
            others: Vec::new(),
        });
        similar.words = Some(words);
    }
    Ok((!all.is_empty()).then_some((similar, all)))
}

fn with_name(filter: &Filter, key: Key, name: &str) -> Filter {
    let (mut filter, name) = (filter.clone(), Some(name.to_owned()));
    match key {
        Key::Player => filter.player = name,
        Key::Against => filter.against = name,
        _ => filter.event = name,
    }
    filter
}

/// A search with the nearest word of a name in place of each word that no name has. None if a word is near to no name, or
/// if all of them are known.
fn similar_words(known: &[KnownName], asked: &str) -> Option<String> {
    // First all of it as one name: `omalley junior` may be one player.
    if let Some(name) = near_names(known, None, asked).first() {
        return (name.key != name_key(asked)).then(|| name.name.clone());
    }
    let mut changed = false;
    let mut words = Vec::new();
    for word in asked.split_whitespace() {
        let folded = letters(&name_key(word));
        let is_known = known.iter().any(|name| name.letters.iter().skip(1).any(|part| part.starts_with(&folded)));
        if is_known {
            words.push(word.to_owned());
            continue;
        }
        // One word of a name stands for one: the others would narrow the search.
        words.push(near_word(&near_names(known, None, word).first()?.name, word).to_owned());
        changed = true;
    }
    changed.then(|| words.join(" "))
}
