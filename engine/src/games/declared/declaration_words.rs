//! The words of a declaration: title, source and labels. They name what is declared, and declare nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scanner::{Scanner, is_plain};
use super::{Declaration, Question};
use crate::Refusal;
use crate::dmn::quotes::quoted;

const TITLE_MAX: usize = 80;
const SOURCE_MAX: usize = 300;
const LABEL_MAX: usize = 40;

impl Declaration {
    /// The name of a declared thing for people: its label, or else its name.
    #[must_use]
    pub fn label<'d>(&'d self, name: &'d str) -> &'d str {
        self.labels.get(name).map_or(name, String::as_str)
    }

    /// Its words: title, source and labels, a line for each.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let title = self.title.iter().map(|title| format!("title {title}"));
        let source = self.source.iter().map(|source| format!("source {source}"));
        let labels = self.labels.iter().map(|(name, label)| format!("label {name} {}", quoted(label)));
        title.chain(source).chain(labels).collect()
    }

    /// The names of everything that can have a label, with the fields of questions that have several.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let counters = self.counters.iter().map(|counter| &counter.name);
        let names = counters.chain(self.sets.iter().map(|set| &set.name));
        let names = names.chain(self.hands.iter().map(|hand| &hand.name)).cloned();
        let names = names.chain(self.boards.iter().map(|board| board.name.clone()));
        let names = names.chain(self.asks.iter().map(|ask| ask.name.clone()));
        let parts = self.asks.iter().filter(|ask| ask.parts.len() > 1);
        names.chain(parts.flat_map(Question::fields)).collect()
    }

    /// Takes one of its words, a line as [`words`](Self::words) gives it. A refused one changes nothing.
    ///
    /// # Errors
    /// It declares something, is spelled in another way, or names what is not there or has a name already.
    pub fn take_word(&mut self, line: &str) -> Result<(), Refusal> {
        let (mut named, mut words) = (self.clone(), Scanner::new(line));
        let at_kind = words.clone();
        match words.next().text {
            "title" if self.title.is_none() => named.read_title(&mut words)?,
            "source" if self.source.is_none() => named.read_source(&mut words)?,
            "label" => named.read_label_line(&mut words)?,
            _ => return Err(at_kind.refuse("expected the only title or source, or a label")),
        }
        if !named.words().iter().any(|word| word == line) {
            return Err(Refusal::of_text(0, line, "expected the one spelling of this line"));
        }
        *self = named;
        Ok(())
    }

    pub(super) fn read_title(&mut self, words: &mut Scanner<'_>) -> Result<(), Refusal> {
        let token = words.rest();
        let title = token.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !is_plain(&title, TITLE_MAX) {
            return Err(token.refuse(format!("expected a title of 1 to {TITLE_MAX} characters")));
        }
        self.title = Some(title);
        Ok(())
    }

    pub(super) fn read_source(&mut self, words: &mut Scanner<'_>) -> Result<(), Refusal> {
        let token = words.rest();
        let web = ["https://", "http://"].iter().any(|scheme| token.text.starts_with(scheme));
        if !web || !is_plain(token.text, SOURCE_MAX) || token.text.contains(char::is_whitespace) {
            return Err(token.refuse("expected an address such as https://example.org/rules"));
        }
        self.source = Some(token.text.into());
        Ok(())
    }

    /// Reads a name and its label.
    pub(super) fn read_label_line(&mut self, words: &mut Scanner<'_>) -> Result<(), Refusal> {
        let token = words.next();
        if !self.names().iter().any(|name| name == token.text) {
            return Err(token.refuse("expected the name of something declared"));
        }
        self.read_label(token.text.into(), words)
    }

    pub(super) fn read_label(&mut self, name: String, words: &mut Scanner<'_>) -> Result<(), Refusal> {
        let token = words.peek();
        if self.labels.contains_key(&name) {
            return Err(token.refuse(format!("{name} has a label already")));
        }
        let label = words.quoted(LABEL_MAX)?;
        self.labels.insert(name, label);
        words.end("the end")
    }
}
