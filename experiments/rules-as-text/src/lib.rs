//! Rules of a Death Match as a text: a strict subset of Starlark, read and run with bounds on time and memory.
//!
//! The machine is a pure function of a text, a state and an answer. It knows integers, texts, lists and dicts; it has no
//! clock, no chance, no files, no recursion and no loop without an end. `docs/rules-as-text.md` is the language's page.
#![no_std]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

extern crate alloc;

mod builtin;
mod data;
mod eval;
mod fault;
mod heap;
mod lexer;
mod machine;
mod names;
mod parser;
mod rules;
mod sample;
mod statements;
mod syntax;

pub use data::Data;
pub use fault::Fault;
pub use machine::Spent;
pub use rules::{Coverage, Rules, Sight};
pub use sample::{SplitMix64, Step, answer, step, words_of};
