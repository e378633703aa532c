//! Lines that several cases of a script play.

use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Fragments {
    named: BTreeMap<String, Vec<String>>,
    open: Option<String>,
}

impl Fragments {
    /// Reads a line before the first case; false if it belongs to no fragment.
    pub(crate) fn read(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("-- ") {
            self.open = Some(name.to_owned());
            self.named.insert(name.to_owned(), Vec::new());
            return true;
        }
        let Some(name) = &self.open else { return false };
        self.named.entry(name.clone()).or_default().push(line.to_owned());
        true
    }

    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// The lines of `dealt`, of `refill, 5 times`, or of `p1 claims to the front: 2C 3D`, once for each word.
    pub(crate) fn lines(&self, called: &str) -> Vec<String> {
        let find = |name: &str| self.named.get(name).unwrap_or_else(|| panic!("no fragment is called {name}"));
        if let Some((name, words)) = called.split_once(": ") {
            let filled = |word: &str| find(name).iter().map(|line| line.replace('$', word)).collect::<Vec<_>>();
            return words.split(' ').flat_map(filled).collect();
        }
        let (name, times) = called.split_once(", ").unwrap_or((called, "1 times"));
        let times: usize =
            times.strip_suffix(" times").and_then(|count| count.parse().ok()).expect("a number of times");
        vec![find(name).as_slice(); times].concat()
    }
}
