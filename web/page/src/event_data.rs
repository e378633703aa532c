//! A match for search engines: a sports event of schema.org, as JSON-LD. It says nothing of the result.

use engine::Seat;
use record::{CommittedText, History};
use serde_json::{Value, json};

/// The data of a match as the content of a script element, which browsers do not run. An `<` in a name would end the
/// element, so it is escaped.
pub fn event_data(history: &History, title: &str, site: &str, address: &str) -> String {
    let players = Seat::BOTH.into_iter().filter_map(|seat| history.names[seat].text());
    let players: Vec<Value> = players.map(|name| json!({ "@type": "Person", "name": name })).collect();
    let started = history.opened.date.clone().unwrap_or_else(|| history.opened_at.to_string());
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": title,
        "url": format!("{site}{address}"),
        "image": format!("{site}{address}.png?spoilers=no"),
        "startDate": started,
        "competitor": players,
        "eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode",
        "location": { "@type": "VirtualLocation", "url": format!("{site}{address}") },
    });
    if let (Some(event), Value::Object(data)) = (history.event.as_ref().and_then(CommittedText::text), &mut data) {
        data.insert("superEvent".to_owned(), json!({ "@type": "Event", "name": event, "startDate": started }));
    }
    data.to_string().replace('<', "\\u003c")
}
