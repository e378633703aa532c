//! The shares that draws wait for, on the console.

use record::History;

#[derive(Debug, Default)]
pub(super) struct SharePanel {
    pub(super) unopened: Vec<String>,
    pub(super) needed: bool,
    pub(super) possible: bool,
}

impl SharePanel {
    pub(super) fn of(history: &History) -> Self {
        let unopened = history.unopened_shares().map(|(_, seats)| seats).unwrap_or_default();
        Self {
            unopened: unopened.into_iter().map(|seat| history.name(seat).to_owned()).collect(),
            needed: history.needs_new_shares(),
            possible: history.may_begin_shares(),
        }
    }
}
