//! Declared games: laws over declarations drawn at random, the shelf of `fixtures/declared`, and the sentences of refusals.

mod file;
mod generator;
mod laws;
mod shelf;
mod spelling;
