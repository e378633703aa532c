//! Planned matches as a calendar (RFC 5545): all, or those of a player or an event.

use std::sync::Arc;

use app::App;
use app::views::ruleset_name;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use chrono::{DateTime, Duration, Utc};
use record::name_key;
use serde::Deserialize;

use web_http::{Problem, site};

/// How long a calendar shows a match for; nobody knows when it will end.
const SHOWN: Duration = Duration::hours(1);
/// The longest line in bytes, after which it is folded.
const LINE_BYTES: usize = 73;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    player: Option<String>,
    event: Option<String>,
}

pub(super) async fn calendar(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<([(HeaderName, HeaderValue); 2], String), Problem> {
    let is = |wanted: &Option<String>, names: &[&String]| {
        wanted.as_deref().is_none_or(|wanted| names.iter().any(|name| name_key(name) == name_key(wanted)))
    };
    let mut plans = app.umpires.planned().await?;
    plans.retain(|plan| is(&asked.player, &[&plan.p1, &plan.p2]) && is(&asked.event, &[&plan.event]));
    let (site, now) = (site(&headers), app.system().now().to_utc());
    let mut text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Matchbook//Planned matches//EN\r\n".to_owned();
    for plan in plans {
        let id: String = plan.form.iter().map(|byte| format!("{byte:02x}")).collect();
        let about = [ruleset_name(&plan.ruleset), plan.event].into_iter().filter(|words| !words.is_empty());
        let lines = [
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{id}@{}", app.origin()),
            format!("DTSTAMP:{}", time(now)),
            format!("DTSTART:{}", time(plan.starts_at)),
            format!("DTEND:{}", time(plan.starts_at + SHOWN)),
            format!("SUMMARY:{}", escaped(&format!("{} \u{2013} {}", plan.p1, plan.p2))),
            format!("DESCRIPTION:{}", escaped(&about.collect::<Vec<_>>().join(", "))),
            format!("URL:{site}/"),
            "END:VEVENT".to_owned(),
        ];
        text.extend(lines.iter().map(|line| folded(line)));
    }
    text += "END:VCALENDAR\r\n";
    let kind = HeaderValue::from_static("text/calendar; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))], text))
}

fn time(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

/// Section 3.3.11.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        match letter {
            '\\' | ';' | ',' => text.extend(['\\', letter]),
            '\n' => text += "\\n",
            letter if letter.is_control() => {}
            letter => text.push(letter),
        }
    }
    text
}

/// Section 3.1: a long line goes on in the next ones, which begin with a space.
fn folded(line: &str) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for letter in line.chars() {
        if length + letter.len_utf8() > LINE_BYTES {
            text += "\r\n ";
            length = 0;
        }
        length += letter.len_utf8();
        text.push(letter);
    }
    text + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_and_long_lines_go_on() {
        assert_eq!(escaped("Ada, \u{c1}da;\\\r\nBo"), "Ada\\, \u{c1}da\\;\\\\\\nBo");
        assert_eq!(folded("SUMMARY:Ada"), "SUMMARY:Ada\r\n");
        let long = folded(&"\u{ac00}".repeat(60));
        assert!(long.split("\r\n").all(|line| line.len() <= 75), "{long}");
        assert_eq!(long.replace("\r\n ", "").trim_end(), "\u{ac00}".repeat(60));
    }
}
