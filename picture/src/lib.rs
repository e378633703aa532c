//! Any state of any game as one picture, for pages, previews and chats: SVG, and PNG with a bundled font.
//!
//! Like the pages, it draws the game's own description, panel kind by panel kind, and knows no game. Its input is the
//! part of a state that a viewer may see: it draws all of it or less, never more. The same scene gives the same bytes
//! on every machine.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

mod alt;
mod board;
mod cards;
mod font;
mod foot;
mod gif;
mod grid;
mod head;
pub mod icon;
mod lamps;
mod notice;
mod panels;
mod pen;
mod png;
mod scene;
mod sheet;
mod sign;
mod text;
mod theme;
mod track;

pub use alt::{alt, short};
pub use gif::{GifError, gif};
pub use png::{PngError, png};
pub use scene::{Scene, change};
pub use sheet::{HEIGHT, WIDTH, svg};
pub use theme::{Theme, colours};
