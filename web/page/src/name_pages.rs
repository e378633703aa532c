//! The pages of a list in the order of names, such as all players.

use app::archive::KeyRange;
use record::name_key;
use serde::Deserialize;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct NamePage {
    after: Option<String>,
    before: Option<String>,
}

/// A name from an address, in the form used for comparing. The database refuses U+0000, and no name has it.
pub fn query_key(name: &str) -> String {
    name_key(&name.replace('\0', ""))
}

impl NamePage {
    pub fn folded(&self) -> Self {
        Self { after: self.after.as_deref().map(query_key), before: self.before.as_deref().map(query_key) }
    }

    pub fn range<'t>(&'t self, begins: &'t str) -> KeyRange<'t> {
        KeyRange { begins, after: self.after.as_deref(), before: self.before.as_deref() }
    }

    pub fn is_first(&self) -> bool {
        *self == Self::default()
    }

    /// The addresses of the pages before and after it. `names` are those on it, and `more` is true if the list goes on
    /// beyond them, in the direction in which it was read.
    pub fn neighbours(
        &self,
        names: &[&str],
        more: bool,
        address: impl Fn(&'static str, &str) -> String,
    ) -> [Option<String>; 2] {
        let (has_earlier, has_later) = if self.before.is_some() { (more, true) } else { (self.after.is_some(), more) };
        let earlier = names.first().filter(|_| has_earlier).map(|first| address("before", first));
        let later = names.last().filter(|_| has_later).map(|last| address("after", last));
        [earlier, later]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_leads_to_those_around_it() {
        let neighbours = |after: Option<&str>, before: Option<&str>, more| {
            let page = NamePage { after: after.map(str::to_owned), before: before.map(str::to_owned) };
            page.neighbours(&["b", "c"], more, |bound, name| format!("{bound} {name}"))
        };
        let [earlier, later] = ["before b", "after c"].map(|address| Some(address.to_owned()));
        assert_eq!(neighbours(None, None, true), [None, later.clone()]);
        assert_eq!(neighbours(None, None, false), [None, None]);
        assert_eq!(neighbours(Some("a"), None, false), [earlier.clone(), None]);
        assert_eq!(neighbours(None, Some("d"), true), [earlier, later.clone()]);
        assert_eq!(neighbours(None, Some("d"), false), [None, later]);
    }
}
