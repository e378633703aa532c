//! A zone of cards.

use super::{Face, Owner};
use alloc::string::String;
use alloc::vec::Vec;

/// A declared hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Its name.
    pub name: String,
    /// One for each seat, or one for both.
    pub owner: Owner,
    /// Only its owner sees it; of a shared hand, only the umpire.
    pub hidden: bool,
    /// The cards that it begins with.
    pub of: Vec<Face>,
}
