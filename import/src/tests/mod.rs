//! What holds for whole sources.

mod damaged_chats;
mod fixtures;
mod parts;
mod written_chats;
