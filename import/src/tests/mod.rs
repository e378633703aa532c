//! What holds for whole sources.

mod damaged_chats;
mod fixtures;
mod laws;
mod written_chats;
