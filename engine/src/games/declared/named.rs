//! The declared things that have a name, and their places in the declaration's lists.

use alloc::format;

use super::scanner::{Scanner, listed};
use crate::Refusal;

/// A thing that a line declares under a name.
pub(super) trait Named {
    /// What a person calls such a thing.
    const KIND: &'static str;

    fn name(&self) -> &str;
}

/// Defines the names of the declared things, and the places in their lists.
macro_rules! named {
    ($($thing:ident $id:ident $kind:literal)*) => {$(
        #[doc = concat!("The place of a ", $kind, " among the declared.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $id(pub(super) u8);

        impl $id {
            pub(super) fn place(self) -> usize {
                usize::from(self.0)
            }

            /// The thing in its own list.
            pub(super) fn of<T>(self, list: &[T]) -> Option<&T> {
                list.get(self.place())
            }

            pub(super) fn name(self, list: &[super::$thing]) -> &str {
                self.of(list).map_or("", Named::name)
            }

            /// Reads the name of a declared thing.
            pub(super) fn read(words: &mut Scanner<'_>, list: &[super::$thing]) -> Result<Self, Refusal> {
                find(words, list).map(Self)
            }

            /// Each place with its thing.
            pub fn each(list: &[super::$thing]) -> impl Iterator<Item = (Self, &super::$thing)> {
                (0..).map(Self).zip(list)
            }
        }

        impl Named for super::$thing {
            const KIND: &'static str = $kind;

            fn name(&self) -> &str {
                &self.name
            }
        }
    )*};
}

named! {
    Counter CounterId "counter"
    CardSet SetId "dice or deck"
    Hand HandId "hand"
    Board BoardId "board"
    Question AskId "question"
}

fn find<T: Named>(words: &mut Scanner<'_>, list: &[T]) -> Result<u8, Refusal> {
    let token = words.next();
    let found = list.iter().zip(0..).find(|(thing, _)| thing.name() == token.text);
    found.map(|(_, place)| place).ok_or_else(|| {
        let names = listed(list.iter().map(T::name).collect::<alloc::vec::Vec<_>>().into_iter(), "or");
        let known = if names.is_empty() { "none is declared" } else { &names };
        token.refuse(format!("expected the name of a {}: {known}", T::KIND))
    })
}
