//! Options of rulesets.

/// Defines an option in which the rulesets of a game differ: an enum, with the word of each value in the record.
macro_rules! rule_option {
    ($(#[$about:meta])* $name:ident { $($(#[$value_about:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_about])* $value,)+
        }

        impl $name {
            pub(super) const fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }
    };
}

pub(crate) use rule_option;
