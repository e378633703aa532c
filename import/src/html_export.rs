//! The messages of a page that a program exported: DiscordChatExporter and Telegram call the parts of a message by the classes of
//! their elements.

use html5gum::{StartTag, Token, Tokenizer};

use super::exports::Exported;

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Message,
    Name,
    Time,
    Text,
}

/// The parts by their classes.
const CLASSES: [(&str, Part); 10] = [
    ("chatlog__message-container", Part::Message),
    ("chatlog__author", Part::Name),
    ("chatlog__timestamp", Part::Time),
    ("chatlog__short-timestamp", Part::Time),
    ("chatlog__content", Part::Text),
    ("chatlog__embed-text", Part::Text),
    ("message", Part::Message),
    ("from_name", Part::Name),
    ("date", Part::Time),
    ("text", Part::Text),
];

/// The element that is being read: its part, its tag's name, and how many of that name are open.
struct Element {
    part: Part,
    tag: Vec<u8>,
    depth: usize,
}

/// The messages of a page; one without a name goes on with the name above it.
pub(crate) fn messages(page: &str) -> Vec<Exported> {
    let (mut all, mut inside): (Vec<Exported>, Option<Element>) = (Vec::new(), None);
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::StartTag(tag) => match &mut inside {
                Some(element) if *element.tag == **tag.name => element.depth += 1,
                Some(element) if **tag.name == *b"br" => element.say(&mut all, "\n"),
                Some(element) => element.say(&mut all, &attribute(&tag, "alt")),
                None => inside = begun(&tag, &mut all),
            },
            Token::String(text) => {
                let text = String::from_utf8_lossy(&text);
                inside.as_ref().into_iter().for_each(|element| element.say(&mut all, &text));
            }
            Token::EndTag(tag) => {
                inside = inside.take().and_then(|element| {
                    let depth = element.depth - usize::from(*element.tag == **tag.name);
                    (depth > 0).then_some(Element { depth, ..element })
                });
            }
            _ => {}
        }
    }
    let mut name = String::new();
    for message in &mut all {
        if message.name.trim().is_empty() {
            message.name.clone_from(&name);
        }
        name.clone_from(&message.name);
    }
    all.retain(|message| !message.time.is_empty() && !message.name.is_empty());
    all
}

/// The element that begins with a tag. A time is in its title, as a day and a clock.
fn begun(tag: &StartTag<()>, all: &mut Vec<Exported>) -> Option<Element> {
    let classes = attribute(tag, "class");
    let part = |class: &str| CLASSES.iter().find(|(known, _)| *known == class).map(|(_, part)| *part);
    let part = classes.split_whitespace().find_map(part)?;
    match part {
        Part::Message => all.push(Exported::default()),
        Part::Time => all.last_mut()?.time = attribute(tag, "title"),
        Part::Text if !all.last()?.text.is_empty() => all.last_mut()?.text.push('\n'),
        Part::Name | Part::Text => {}
    }
    matches!(part, Part::Name | Part::Text).then(|| Element { part, tag: tag.name.to_vec(), depth: 1 })
}

fn attribute(tag: &StartTag<()>, name: &str) -> String {
    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

impl Element {
    fn say(&self, all: &mut [Exported], text: &str) {
        let Some(message) = all.last_mut() else { return };
        match self.part {
            Part::Name => message.name.push_str(text.trim()),
            _ => message.text.push_str(text),
        }
    }
}
