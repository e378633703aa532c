//! The questions that are still open: what is sealed and waits for witnesses is asked no more.

use engine::Ask;
use record::History;

#[must_use]
pub fn open_asks(history: &History) -> Vec<Ask> {
    let mut asks = history.asks();
    asks.retain(|ask| history.open.iter().all(|open| open.sealed.is_empty() || !open.puts(ask)));
    asks
}
