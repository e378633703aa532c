//! Pages of names in order: those of players and of tournaments.

const NAMES: usize = 50;

pub(super) const KEYS_READ: i64 = NAMES as i64 + 1;

pub(super) fn page(mut keys: Vec<String>, backwards: bool) -> (Vec<String>, bool) {
    let more = keys.len() > NAMES;
    keys.truncate(NAMES);
    if backwards {
        keys.reverse();
    }
    (keys, more)
}
