//! The rows of Discord, by Discord's numbers. Its users are among the rows of [`accounts`](crate::accounts).

pub mod channels;
