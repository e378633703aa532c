//! Declared games: the umpire declares questions, counters and draws, and says after each answer what became of it.
//!
//! Nothing here knows the rules of such a game. A [`Declaration`] says what can be asked, counted and drawn; a [`Table`]
//! takes answers, draws and [announcements](Announcement) that fit it. The umpire's word is checked against the
//! declaration alone, never against a rule.

mod act;
mod announcement;
mod answer;
mod asked;
mod board;
mod card;
mod counter;
mod declaration;
mod declaration_reader;
mod declaration_words;
mod draw;
mod effects;
mod fault;
mod game;
mod hand;
mod holdings;
mod item_list;
mod keyword;
mod legal;
mod named;
mod part;
mod question;
mod quote;
mod scanner;
mod sentences;
mod state_object;
mod table;
mod view;

pub use act::{Act, Change, Dealt, Zone};
pub use announcement::{Announcement, Then};
pub use answer::{Answer, Value};
pub use asked::Asked;
pub use board::{Board, Cell, Mark};
pub use card::{Card, CardSet, Face, SetKind};
pub use counter::{Counter, Owner};
pub use declaration::Declaration;
pub use draw::{Draw, Drawn, Due, Place};
pub use fault::Fault;
pub use game::{ANNOUNCED, DECLARED, ruleset};
pub use hand::Hand;
pub use holdings::Holdings;
pub use named::{AskId, BoardId, CounterId, HandId, SetId};
pub use part::{Count, Limit, Part};
pub use question::{Audience, OpensTo, Question};
pub use quote::Quote;
pub use table::{Phase, Table};
