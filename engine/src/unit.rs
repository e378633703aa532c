//! The thing that a number counts.

/// The thing that a number counts, such as chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// One of it, such as "chip".
    pub one: &'static str,
    /// None or more of it, such as "chips".
    pub many: &'static str,
}

impl Unit {
    /// Chips.
    pub const CHIPS: Self = Self { one: "chip", many: "chips" };
}
