//! Pages of names in order: those of players and of tournaments.

/// Names on one page.
const NAMES: usize = 50;

/// The most keys to read for a page: one more than it shows, which says that there are more.
pub(super) const KEYS_READ: i64 = NAMES as i64 + 1;

/// The keys of a page in their order, and true if there are more. Those before a key were read backwards.
pub(super) fn page(mut keys: Vec<String>, backwards: bool) -> (Vec<String>, bool) {
    let more = keys.len() > NAMES;
    keys.truncate(NAMES);
    if backwards {
        keys.reverse();
    }
    (keys, more)
}
