//! The rules as a referee would try them: cases and matches as text, laws over random play, and independent resolvers.

extern crate matchbook_engine as engine;

mod allocations;
mod conformance;
mod declared;
mod devils_deal;
mod fixtures;
mod higher_lower;
mod laws;
mod playthroughs;
mod scripts;
mod second_resolver;
mod seeded;
mod shown;
mod thwart_13;
mod typed;
