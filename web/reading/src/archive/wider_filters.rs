//! Wider filters that find something, for a filter that finds nothing.

use app::App;
use app::archive::{Filter, Key};

use super::query::address;
use web_http::{Problem, Spoilers};

/// With at most this many parts, a filter is also tried without two of them.
const PAIRED_PARTS: usize = 6;
/// The number of wider filters that are offered.
const WIDER_MAX: usize = 8;

/// The nearest filters that find something, if this one finds nothing: without one of its parts, or without two if that
/// is not enough. The one that adds the fewest matches comes first.
pub(super) async fn wider_filters(
    app: &App,
    filter: &Filter,
    spoilers: Spoilers,
) -> Result<Vec<(String, String, String)>, Problem> {
    let keys: Vec<Key> = Key::ALL.into_iter().filter(|key| key.value(filter).is_some()).collect();
    let one = keys.iter().map(|key| key.removed(filter));
    let two = keys.iter().enumerate().flat_map(|(n, first)| keys.iter().skip(n + 1).map(move |second| (first, second)));
    let two = two.map(|(first, second)| second.removed(&first.removed(filter)));
    // Some parts depend on others, and are dropped with them.
    let gone = |wider: &Filter| {
        let gone = keys.iter().filter(|key| key.value(wider).is_none()).map(|key| key.label());
        gone.collect::<Vec<_>>().join(" and the ")
    };
    // A filter with many parts has too many pairs to count.
    let two = two.take(if keys.len() <= PAIRED_PARTS { usize::MAX } else { 0 });
    for candidates in [one.collect::<Vec<_>>(), two.collect()] {
        let mut wider = Vec::new();
        for filter in candidates {
            let total = app.archive().count(&filter).await?;
            if total.counted > 0 {
                wider.push((total, gone(&filter), address(&filter, spoilers)));
            }
        }
        if !wider.is_empty() {
            wider.sort_by_key(|(total, ..)| *total);
            wider.truncate(WIDER_MAX);
            return Ok(wider.into_iter().map(|(total, label, address)| (label, total.to_string(), address)).collect());
        }
    }
    Ok(Vec::new())
}
