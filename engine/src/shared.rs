//! A value that is compiled in, or made when a match is opened.

use alloc::string::String;
use alloc::sync::Arc;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

/// A value that is compiled in, or counted: it goes when nobody holds it any more. A copy costs no memory.
pub enum Shared<T: ?Sized + 'static> {
    /// Compiled in.
    Static(&'static T),
    /// Made at run time.
    Counted(Arc<T>),
}

/// A word of a game, such as the name of a question.
pub type Word = Shared<str>;

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(value) => Self::Static(value),
            Self::Counted(value) => Self::Counted(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Static(value) => value,
            Self::Counted(value) => value,
        }
    }
}

impl<T: ?Sized> From<&'static T> for Shared<T> {
    fn from(value: &'static T) -> Self {
        Self::Static(value)
    }
}

impl<T: ?Sized> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Self::Counted(value)
    }
}

impl From<String> for Word {
    fn from(word: String) -> Self {
        Self::Counted(word.into())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Shared<T> {}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_wherever_it_was_made() {
        let (compiled, made) = (Word::Static("bid"), Word::from(String::from("bid")));
        assert_eq!((&compiled, compiled.cmp(&made)), (&made, Ordering::Equal));
        assert!(made == "bid" && made != "bids" && Word::Static("ask") < made);
        assert_eq!(alloc::format!("{made:>4}|{made:?}"), " bid|\"bid\"");
    }

    #[test]
    fn a_word_goes_with_its_last_holder() {
        let word: Arc<str> = "bid".into();
        let held = Word::from(Arc::clone(&word));
        let copy = held.clone();
        drop((held, copy));
        assert_eq!(Arc::strong_count(&word), 1);
    }
}
