//! Sets of cards or cells.

/// Defines a set of numbered things, one bit each. A thing is a struct that holds its number.
macro_rules! bit_set {
    ($(#[$about:meta])* $set:ident($bits:ty) of $item:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $set($bits);

        impl $set {
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// True if it is in the set.
            #[must_use]
            pub const fn has(self, item: $item) -> bool {
                self.0 & (1 << item.0) != 0
            }

            /// Adds it.
            pub const fn add(&mut self, item: $item) {
                self.0 |= 1 << item.0;
            }

            /// The size of the set.
            #[must_use]
            pub const fn count(self) -> u32 {
                self.0.count_ones()
            }

            /// True if there are none.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The union of two sets.
            #[must_use]
            pub const fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The part of this set that is not in the other.
            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// The part of this set that is in the other, too.
            #[must_use]
            pub const fn within(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// Each of them, by its number.
            pub fn iter(self) -> impl Iterator<Item = $item> + Clone {
                let mut rest = self.0;
                core::iter::from_fn(move || {
                    let at = rest.trailing_zeros();
                    rest &= rest.wrapping_sub(1);
                    (at < <$bits>::BITS).then_some($item(at as u8))
                })
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                let mut set = Self::NONE;
                items.into_iter().for_each(|item| set.add(item));
                set
            }
        }
    };
}

pub(crate) use bit_set;
