//! The rows of accounts: umpires and how they sign in, the programs that act for them, and the links of players.
//!
//! Only rows: what an account may do, which names and passwords it accepts, and how tokens look is for the caller.
//! Tokens arrive as their SHA-256, and times and ids as arguments.

pub mod activity;
pub mod api_tokens;
pub mod discord_codes;
pub mod discord_seats;
pub mod discord_sign_ins;
pub mod discord_umpires;
pub mod passkey_challenges;
pub mod passkeys;
pub mod passwords;
pub mod player_links;
pub mod player_sessions;
pub mod sessions;
pub mod sign_in_links;
pub mod umpires;

fn name(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
