//! The time when a player sent something elsewhere, as an umpire types it: `20:41:08`, `20:41`, or with its day. All in
//! UTC.

use app::recorder::is_late;
use app::views::{LineError, LineReading, LineState};
use chrono::{DateTime, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use engine::{BySeat, Seat};
use ledger::Moment;
use record::{History, OpenDecision};

use super::form_data::FormData;
use page::When;

/// The error for an invalid time.
const NO_TIME: &str = "This is no time. Write it as 20:41:08, or with its day as 2026-11-20 20:41:08, or leave it empty for \
                       now.";

/// Reads a time; none if the text is empty, which means now. A time without a day is its latest occurrence.
pub(super) fn read(text: &str, now: Moment) -> Result<Option<Moment>, &'static str> {
    let text = text.trim().trim_end_matches("UTC").trim_end();
    if text.is_empty() {
        return Ok(None);
    }
    let now = now.to_utc();
    let with_day = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"];
    let day = with_day.into_iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    let at = match day {
        Some(at) => at.and_utc(),
        None => latest_at(text, now).ok_or(NO_TIME)?,
    };
    Moment::from_micros(at.timestamp_micros()).map(Some).map_err(|_| NO_TIME)
}

fn latest_at(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let time = ["%H:%M:%S", "%H:%M"].into_iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())?;
    let today = now.date_naive().and_time(time).and_utc();
    // Just past midnight, 23:59 was yesterday.
    if today > now { today.checked_sub_signed(TimeDelta::days(1)) } else { Some(today) }
}

pub(super) fn times(sent: &FormData, now: Moment) -> BySeat<Result<Option<Moment>, &'static str>> {
    BySeat::from_fn(|seat: Seat| read(sent.text(&format!("sent-{seat}")), now))
}

pub(super) fn lateness(history: &History, open: &OpenDecision, sent: Moment) -> Option<String> {
    let by = history.in_time_until(open).map(|deadline| (sent.to_utc() - deadline.to_utc()).num_milliseconds());
    by.filter(|by| *by > 0).map(|by| format!("{} s after the deadline", (by + 999) / 1000))
}

pub(super) fn after_close(closed: Moment, at: Moment) -> Option<String> {
    let by = (at.to_utc() - closed.to_utc()).num_milliseconds();
    (by >= 0).then(|| format!("{} s after the close", (by + 999) / 1000))
}

pub(super) fn check_time(
    line: &mut LineReading,
    (history, open): (&History, &OpenDecision),
    time: Result<Option<Moment>, &'static str>,
    now: Moment,
) {
    if line.state == LineState::Nothing {
        return;
    }
    match time.map(|at| at.unwrap_or(now)) {
        Err(no_time) => {
            line.state = LineState::Invalid;
            line.error = Some(LineError::whole(no_time));
        }
        Ok(at) if line.state == LineState::Valid && is_late(history, open, at) => {
            line.state = LineState::Late;
            let by = lateness(history, open, at).map(|by| format!(", {by}")).unwrap_or_default();
            let at = When::second(at).text;
            line.notes.push(format!("Sent {at}{by}: it is kept, and counts only if you admit it."));
        }
        Ok(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_after_the_close_is_in_whole_seconds() {
        let [closed, soon, later]: [Moment; 3] =
            ["2026-11-20T20:41:48.000000Z", "2026-11-20T20:41:48.001000Z", "2026-11-20T20:41:50.000000Z"]
                .map(|at| at.parse().unwrap());
        assert_eq!(after_close(closed, soon).as_deref(), Some("1 s after the close"));
        assert_eq!(after_close(closed, later).as_deref(), Some("2 s after the close"));
        assert_eq!(after_close(later, closed), None, "it was late before the close");
    }

    #[test]
    fn times_are_read_with_and_without_their_day() {
        let now: Moment = "2026-11-20T20:41:48.381204Z".parse().unwrap();
        let at = |text| read(text, now).map(|at| at.map(|at| at.to_string()));
        assert_eq!(at(" "), Ok(None));
        for (text, reads) in [
            ("20:41:08", "2026-11-20T20:41:08.000000Z"),
            ("20:41", "2026-11-20T20:41:00.000000Z"),
            ("20:41:08 UTC", "2026-11-20T20:41:08.000000Z"),
            ("20:41:49", "2026-11-19T20:41:49.000000Z"),
            ("2026-11-18 09:00", "2026-11-18T09:00:00.000000Z"),
            ("2026-11-18T09:00:07", "2026-11-18T09:00:07.000000Z"),
        ] {
            assert_eq!(at(text), Ok(Some(reads.to_owned())), "{text}");
        }
        for text in ["25:00", "8 pm", "20.41", "-1:00", "2026-13-01 10:00"] {
            assert_eq!(at(text), Err(NO_TIME), "{text}");
        }
    }
}
