//! A message for Discord, within its limits for any content.

use bytes::Bytes;
use ledger::Head;
use record::History;
use serde_json::{Value, json};

use crate::account::Snowflake;

/// The longest content (<https://docs.discord.com/developers/resources/message#create-message>). Counted in the units of
/// UTF-16, which are never fewer than characters.
const CONTENT_MAX: usize = 2000;
/// The longest description of a file (<https://docs.discord.com/developers/resources/message#attachment-object>).
pub(super) const ALT_MAX: usize = 1024;
pub const EPHEMERAL: u32 = 1 << 6;

#[derive(Clone, Debug, Default)]
pub struct Message {
    content: String,
    files: Vec<File>,
    buttons: Vec<Button>,
    mentioned: Vec<Snowflake>,
    open: bool,
}

#[derive(Clone, Debug)]
pub struct Button {
    pub label: &'static str,
    /// Its id, at most 100 characters, which comes back when somebody presses it.
    pub id: String,
}

#[derive(Clone, Debug)]
pub struct File {
    /// Letters, digits, hyphens and dots.
    pub name: String,
    pub kind: &'static str,
    pub alt: Option<String>,
    pub bytes: Bytes,
}

fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    let mut room = most.saturating_sub(1);
    let fits = |letter: &char| {
        let units = letter.len_utf16();
        let fits = units <= room;
        room = if fits { room - units } else { 0 };
        fits
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}\u{2026}", start.trim_end())
}

/// A text with Discord's markdown escaped: user content cannot format, mention anybody, or link anywhere.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            plain.push(' ');
            continue;
        }
        if "\\*_~`|<>@#[]:".contains(letter) || (plain.is_empty() && "-+".contains(letter)) {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

#[must_use]
pub fn bout(history: &History) -> String {
    let names = history.both_names();
    format!("{} \u{2013} {}", plain(names.p1), plain(names.p2))
}

/// The newest entry that a message knows of, so that the channel is a witness of it.
#[must_use]
pub fn newest_entry(head: Head) -> String {
    format!("-# Entry {} `{}`", head.next.0.saturating_sub(1), head.leaf)
}

impl Message {
    pub fn private(content: impl AsRef<str>) -> Self {
        Self { content: cut(content.as_ref(), CONTENT_MAX), ..Self::default() }
    }

    pub fn open(content: impl AsRef<str>) -> Self {
        Self { open: true, ..Self::private(content) }
    }

    #[must_use]
    pub fn with(mut self, file: File) -> Self {
        self.files.push(File { alt: file.alt.map(|alt| cut(&alt, ALT_MAX)), ..file });
        self
    }

    #[must_use]
    pub fn with_buttons(self, buttons: Vec<Button>) -> Self {
        Self { buttons, ..self }
    }

    #[must_use]
    pub fn mentioning(self, mentioned: Vec<Snowflake>) -> Self {
        Self { mentioned, ..self }
    }

    #[must_use]
    pub fn bare(&self) -> Self {
        Self { files: Vec::new(), ..self.clone() }
    }

    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.files
    }

    #[must_use]
    pub fn answer(&self) -> Value {
        let mut answer = self.payload();
        if !self.open
            && let Some(fields) = answer.as_object_mut()
        {
            fields.insert("flags".to_owned(), json!(EPHEMERAL));
        }
        answer
    }

    #[must_use]
    pub fn payload(&self) -> Value {
        let mut payload = json!({ "content": self.content, "allowed_mentions": { "parse": [] } });
        if !self.mentioned.is_empty() {
            let users: Vec<String> = self.mentioned.iter().map(ToString::to_string).collect();
            payload["allowed_mentions"]["users"] = json!(users);
        }
        if !self.buttons.is_empty() {
            const ROW: u8 = 1;
            const BUTTON: u8 = 2;
            const GREY: u8 = 2;
            let button = |button: &Button| json!({ "type": BUTTON, "style": GREY, "label": button.label, "custom_id": button.id });
            let buttons: Vec<Value> = self.buttons.iter().map(button).collect();
            payload["components"] = json!([{ "type": ROW, "components": buttons }]);
        }
        let described = self.files.iter().enumerate().map(|(n, file)| match &file.alt {
            Some(alt) => json!({ "id": n, "filename": file.name, "description": alt }),
            None => json!({ "id": n, "filename": file.name }),
        });
        let described: Vec<Value> = described.collect();
        if let Some(fields) = payload.as_object_mut().filter(|_| !described.is_empty()) {
            fields.insert("attachments".to_owned(), json!(described));
        }
        payload
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_longer_than_discord_takes() {
        let long = "\u{1f0a1}".repeat(3000);
        let message = Message::private(&long);
        assert_eq!(length(&message.content), 1999);
        assert!(message.content.ends_with('\u{2026}'));
        let file = File { name: "a.png".to_owned(), kind: "image/png", alt: Some(long), bytes: Bytes::new() };
        let payload = message.with(file).payload();
        assert!(length(payload["attachments"][0]["description"].as_str().unwrap()) <= ALT_MAX);
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab\u{2026}");
    }

    #[test]
    fn what_people_wrote_is_only_text() {
        assert_eq!(plain("**<@1>** [x](https://e.x)"), r"\*\*\<\@1\>\*\* \[x\](https\://e.x)");
        assert_eq!(plain("- a\n# b"), r"\- a \# b");
        assert_eq!(plain("Ada-Lou"), "Ada-Lou");
    }

    #[test]
    fn an_answer_is_seen_by_one_unless_it_is_open() {
        assert_eq!(Message::private("x").answer()["flags"], 64);
        assert!(Message::open("x").answer().get("flags").is_none());
        assert!(Message::private("x").payload().get("flags").is_none());
    }
}
