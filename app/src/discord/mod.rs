//! Posting in the channels at Discord that follow a match, through Discord's HTTP API.
//!
//! Everything posted in a channel is public.

mod channels;
mod message;
mod multipart;
mod picture_file;
mod post;
mod posting;
mod rest;

pub use channels::{Channel, ChannelError, Webhook, follow, followed_match, following, leave, webhook_in};
pub use message::{Button, EPHEMERAL, File, Message, bout, cut, newest_entry, plain};
pub use picture_file::picture_file;
pub use post::{due, questions};
pub use posting::post;
pub use rest::{Answer, Body, BotToken, BotTokenError, DISCORD, Rest, RestError};
