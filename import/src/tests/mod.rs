//! What holds for whole sources.

mod fixtures;
mod laws;
mod written_chats;
