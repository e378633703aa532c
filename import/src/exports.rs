//! Files that say what they are: what programs export of a chat, written as lines with a time and a name, which can be read and
//! edited as any chat. Reads the JSON, the HTML and the CSV of DiscordChatExporter, and the JSON and the HTML of Telegram.

use csv::ReaderBuilder;
use serde_json::Value;

use super::html_export;

/// What stands for a picture or a file that was sent.
const ATTACHED: &str = "<attachment>";

/// A message of an export.
#[derive(Default)]
pub(crate) struct Exported {
    pub(crate) time: String,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// An export as the lines of a chat; none if the text is no export.
pub fn transcribe(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let messages = match text.chars().next()? {
        '{' => json(&serde_json::from_str(text).ok()?),
        '<' => html_export::messages(text),
        _ => csv(text)?,
    };
    Some(messages.iter().map(Exported::lines).collect()).filter(|lines: &String| !lines.is_empty())
}

impl Exported {
    fn lines(&self) -> String {
        let Self { time, name, text } = self;
        let text = if text.trim().is_empty() { ATTACHED } else { text.trim() };
        format!("[{}] {}: {text}\n", second(time), name.trim().replace(':', " "))
    }
}

/// A time of the standard down to its second; others as they are.
fn second(time: &str) -> String {
    let parted = time.split_at_checked("2026-11-20T20:41:30".len());
    let standard = parted.and_then(|(time, _)| time.split_once('T'));
    standard.map_or_else(|| time.to_owned(), |(day, clock)| format!("{day} {clock}"))
}

fn json(export: &Value) -> Vec<Exported> {
    // All chats of an account, or one.
    let chats =
        export.pointer("/chats/list").and_then(Value::as_array).map_or(std::slice::from_ref(export), Vec::as_slice);
    let messages = chats.iter().filter_map(|chat| chat.get("messages")?.as_array()).flatten();
    let exported = messages.filter_map(|message| {
        let of = |name: &str| message.get(name).and_then(Value::as_str).map(str::to_owned);
        let author = message.get("author");
        let named = |name: &str| author?.get(name)?.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        let name = named("nickname").or_else(|| named("name")).or_else(|| of("from"))?;
        let said = [of("content").unwrap_or_default(), message.get("text").map(plain).unwrap_or_default()];
        let embeds = message.get("embeds").and_then(Value::as_array).into_iter().flatten().map(embedded);
        let text = said.into_iter().chain(embeds).filter(|said| !said.is_empty()).collect::<Vec<_>>().join("\n");
        Some(Exported { time: of("timestamp").or_else(|| of("date"))?, name, text })
    });
    exported.collect()
}

/// The words of a card below a message, as bots send them.
fn embedded(embed: &Value) -> String {
    let fields = embed.get("fields").and_then(Value::as_array).into_iter().flatten();
    let fields = fields.flat_map(|field| [field.get("name"), field.get("value")]);
    let texts = [embed.get("title"), embed.get("description")].into_iter().chain(fields).flatten();
    texts.filter_map(Value::as_str).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
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
