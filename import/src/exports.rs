//! Files that say what they are: what programs export of a chat, written as lines with a time and a name, which can be read and
//! edited as any chat. Reads the JSON and the CSV of DiscordChatExporter, and the JSON of Telegram.

use csv::ReaderBuilder;
use serde_json::Value;

/// What stands for a picture or a file that was sent.
const ATTACHED: &str = "<attachment>";

/// A message of an export.
struct Exported {
    time: String,
    name: String,
    text: String,
}

/// An export as the lines of a chat; none if the text is no export.
pub fn transcribe(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let messages = if text.starts_with('{') { json(&serde_json::from_str(text).ok()?)? } else { csv(text)? };
    Some(messages.iter().map(Exported::lines).collect())
}

impl Exported {
    fn lines(&self) -> String {
        let Self { time, name, text } = self;
        let time: String = time.chars().take("2026-11-20T20:41:30".len()).collect();
        let text = if text.trim().is_empty() { ATTACHED } else { text.trim() };
        format!("[{}] {}: {text}\n", time.replace('T', " "), name.trim().replace(':', " "))
    }
}

fn json(export: &Value) -> Option<Vec<Exported>> {
    let messages = export.get("messages")?.as_array()?.iter().filter_map(|message| {
        let of = |name: &str| message.get(name).and_then(Value::as_str).map(str::to_owned);
        let author = message.get("author");
        let named = |name: &str| author?.get(name)?.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        let name = named("nickname").or_else(|| named("name")).or_else(|| of("from"))?;
        let text = of("content").unwrap_or_else(|| message.get("text").map(plain).unwrap_or_default());
        Some(Exported { time: of("timestamp").or_else(|| of("date"))?, name, text })
    });
    Some(messages.collect::<Vec<_>>()).filter(|messages| !messages.is_empty())
}

/// A text of Telegram, which may be parted by its marks of writing.
fn plain(text: &Value) -> String {
    match text {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(plain).collect(),
        Value::Object(part) => part.get("text").map(plain).unwrap_or_default(),
        _ => String::new(),
    }
}

fn csv(text: &str) -> Option<Vec<Exported>> {
    let first = text.lines().next()?.to_lowercase();
    if !["author", "date", "content"].iter().all(|column| first.contains(column)) {
        return None;
    }
    let mut rows = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let headers = rows.headers().ok()?.clone();
    let column = |name: &str| headers.iter().position(|header| header.eq_ignore_ascii_case(name));
    let (author, date, content) = (column("author")?, column("date")?, column("content")?);
    let cell = |row: &csv::StringRecord, at: usize| row.get(at).unwrap_or_default().to_owned();
    let messages = rows.records().map_while(Result::ok);
    let messages =
        messages.map(|row| Exported { time: cell(&row, date), name: cell(&row, author), text: cell(&row, content) });
    Some(messages.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_become_lines_of_a_chat() {
        let lines = "[2018-03-11 13:35:00] Ada: score\ngrow\n[2018-03-11 13:36:00] Bo: <attachment>\n";
        for export in [
            r#"{"guild":{},"messages":[{"timestamp":"2018-03-11T13:35:00.379+02:00","content":"score\ngrow",
                "author":{"name":"ada#1","nickname":"Ada"}},
                {"timestamp":"2018-03-11T13:36:00+02:00","content":"","author":{"name":"Bo"}}]}"#,
            r#"{"name":"dm","messages":[{"type":"service","date":"2018-03-11T13:00:00"},
                {"date":"2018-03-11T13:35:00","from":"Ada","text":["sc",{"type":"bold","text":"ore"},"\ngrow"]},
                {"date":"2018-03-11T13:36:00","from":"Bo","text":""}]}"#,
            "AuthorID,Author,Date,Content,Attachments,Reactions\n1,Ada,2018-03-11T13:35:00.379+02:00,\"score\ngrow\",,\n\
             2,Bo,2018-03-11T13:36:00.379+02:00,,x.png,\n",
        ] {
            assert_eq!(transcribe(export).as_deref(), Some(lines), "{export}");
        }
        for other in ["Ada: score", "{", "{\"messages\":[]}", "round,p1,p2\n1,a,b", ""] {
            assert_eq!(transcribe(other), None, "{other}");
        }
    }
}
