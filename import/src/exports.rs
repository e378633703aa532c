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
