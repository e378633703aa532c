//! The schedule of retries: the example in Standard Webhooks, over three days.

use std::time::Duration;

/// The waits after the first failed attempt, the second, and so on, in seconds. One more attempt follows the last.
const WAITS: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// The largest random addition in percent, so that messages that failed together are not retried together.
const JITTER_PERCENT: u64 = 20;
const ASKED_MAX: Duration = Duration::from_secs(86_400);
const HELD_MAX: Duration = Duration::from_secs(300);

pub(super) fn wait(failed: i16, chance: u8, asked: Option<Duration>) -> Option<Duration> {
    let at = usize::try_from(failed.checked_sub(1)?).ok()?;
    let wait = Duration::from_secs(*WAITS.get(at)?);
    let jitter = wait.mul_f64(f64::from(chance) / 255.0 * (JITTER_PERCENT as f64 / 100.0));
    Some((wait + jitter).max(asked.unwrap_or_default().min(ASKED_MAX)))
}

pub(super) fn hold(wait: Duration, asked: Option<Duration>) -> Duration {
    wait.min(HELD_MAX).max(asked.unwrap_or_default().min(ASKED_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_attempts_over_three_days() {
        let waits: Vec<u64> = (1..=9).map(|failed| wait(failed, 0, None).unwrap().as_secs()).collect();
        assert_eq!(waits, WAITS);
        assert_eq!(waits.iter().sum::<u64>(), 75 * 3600 + 35 * 60 + 5);
        assert_eq!((wait(10, 0, None), wait(0, 0, None)), (None, None));
    }

    #[test]
    fn chance_adds_and_a_receiver_may_ask_for_more() {
        assert_eq!(wait(2, 255, None), Some(Duration::from_secs(360)));
        assert_eq!(wait(1, 0, Some(Duration::from_secs(60))), Some(Duration::from_secs(60)));
        assert_eq!(wait(1, 0, Some(Duration::MAX)), Some(ASKED_MAX));
        assert_eq!(hold(Duration::from_secs(1_800), None), HELD_MAX);
        assert_eq!(hold(Duration::from_secs(5), Some(Duration::from_secs(900))), Duration::from_secs(900));
    }
}
