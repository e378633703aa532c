//! Discord's published limits, and a check of requests against them. Each names its page of Discord's documentation, as
//! of August 2026.

use serde_json::{Value, json};

/// The limited thing, the limit, and its page (below <https://docs.discord.com/developers/>).
pub(crate) const TABLE: [(&str, usize, &str); 27] = [
    ("content", 2000, "resources/message#create-message"),
    ("embeds", 10, "resources/message#create-message"),
    ("embeds in all", 6000, "resources/message#embed-object-embed-limits"),
    ("embed title", 256, "resources/message#embed-object-embed-limits"),
    ("embed description", 4096, "resources/message#embed-object-embed-limits"),
    ("embed fields", 25, "resources/message#embed-object-embed-limits"),
    ("embed field name", 256, "resources/message#embed-object-embed-limits"),
    ("embed field value", 1024, "resources/message#embed-object-embed-limits"),
    ("embed footer", 2048, "resources/message#embed-object-embed-limits"),
    ("embed author", 256, "resources/message#embed-object-embed-limits"),
    ("attachment description", 1024, "resources/message#attachment-object"),
    ("files", 10, "resources/message#create-message"),
    ("file", 10 * 1024 * 1024, "reference#uploading-files"),
    ("request", 25 * 1024 * 1024, "resources/message#create-message"),
    ("custom_id", 100, "components/reference#anatomy-of-a-component-custom-id"),
    ("button label", 80, "components/reference#button"),
    ("action rows", 5, "components/reference#action-row"),
    ("buttons in a row", 5, "components/reference#action-row"),
    ("command name", 32, "interactions/application-commands#application-command-object-application-command-naming"),
    ("command description", 100, "interactions/application-commands#application-command-object"),
    ("command options", 25, "interactions/application-commands#application-command-object"),
    ("option choices", 25, "interactions/application-commands#application-command-object"),
    ("choice name", 100, "interactions/application-commands#application-command-object"),
    ("choice value", 100, "interactions/application-commands#application-command-object"),
    ("option length", 6000, "interactions/application-commands#application-command-object"),
    ("command in all", 8000, "interactions/application-commands#slash-commands"),
    ("webhook name", 80, "resources/webhook#create-webhook"),
];

/// The violations of a request, each in a sentence.
#[derive(Debug, Default)]
pub(crate) struct Faults(pub(crate) Vec<String>);

/// The limit of a thing.
fn limit(what: &str) -> usize {
    TABLE.iter().find(|(name, ..)| *name == what).map(|(_, most, _)| *most).expect("a line of the table")
}

/// The length of a text in UTF-16 units, which is never less than Discord's count.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

impl Faults {
    fn most(&mut self, what: &str, found: usize) {
        let (most, page) = TABLE.iter().find(|(name, ..)| *name == what).map(|line| (line.1, line.2)).expect("a line");
        if found > most {
            self.0.push(format!("{what}: {found} of at most {most} ({page})"));
        }
    }

    fn between(&mut self, what: &str, least: usize, found: usize) {
        self.most(what, found);
        if found < least {
            self.0.push(format!("{what}: {found} of at least {least}"));
        }
    }

    fn must(&mut self, holds: bool, what: impl Into<String>) {
        if !holds {
            self.0.push(what.into());
        }
    }

    /// A message with its files: the name and size of each.
    pub(crate) fn message(&mut self, message: &Value, files: &[(String, usize)], flags: u64) {
        let known = ["content", "embeds", "allowed_mentions", "attachments", "components", "flags"];
        for name in message.as_object().expect("a message is an object").keys() {
            self.must(known.contains(&name.as_str()), format!("{name} is no field of this message"));
        }
        let content = text(message, "content");
        self.most("content", length(content));
        self.must(
            !content.trim().is_empty() || !files.is_empty() || !list(message, "embeds").is_empty(),
            "a message has content, an embed or a file (resources/webhook#execute-webhook)",
        );
        let mentions = message.pointer("/allowed_mentions/parse").and_then(Value::as_array);
        self.must(mentions.is_some_and(Vec::is_empty), "nobody is to be mentioned");
        self.must(message.get("flags").is_none_or(|set| set.as_u64().is_some_and(|set| set & !flags == 0)), "flags");
        self.embeds(list(message, "embeds"));
        self.components(list(message, "components"));
        let described = list(message, "attachments");
        self.must(described.len() == files.len(), "every file is described, and every description has its file");
        self.most("files", files.len());
        self.most("request", files.iter().map(|(_, bytes)| bytes).sum());
        for (n, (name, bytes)) in files.iter().enumerate() {
            self.most("file", *bytes);
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
            self.must(!name.is_empty() && name.bytes().all(fits), format!("{name:?} is no plain file name"));
            let one = described.iter().find(|one| one.get("id").and_then(Value::as_u64) == u64::try_from(n).ok());
            self.must(one.is_some_and(|one| text(one, "filename") == name), format!("files[{n}] has its description"));
            let alt = one.map_or("", |one| text(one, "description"));
            self.most("attachment description", length(alt));
            self.must(!name.ends_with(".png") || !alt.is_empty(), "a picture has an alternative text");
        }
    }

    fn embeds(&mut self, embeds: &[Value]) {
        self.most("embeds", embeds.len());
        let mut all = 0;
        for embed in embeds {
            let nested = |part: &str, name: &str| embed.get(part).map_or(0, |part| length(text(part, name)));
            let mut sizes = vec![
                ("embed title", length(text(embed, "title"))),
                ("embed description", length(text(embed, "description"))),
                ("embed footer", nested("footer", "text")),
                ("embed author", nested("author", "name")),
            ];
            let fields = list(embed, "fields");
            self.most("embed fields", fields.len());
            for field in fields {
                sizes.push(("embed field name", length(text(field, "name"))));
                sizes.push(("embed field value", length(text(field, "value"))));
            }
            for (what, found) in sizes {
                self.most(what, found);
                all += found;
            }
        }
        self.most("embeds in all", all);
    }

    fn components(&mut self, rows: &[Value]) {
        self.most("action rows", rows.len());
        for row in rows {
            let buttons = list(row, "components");
            self.most("buttons in a row", buttons.len());
            for button in buttons {
                self.between("custom_id", 1, length(text(button, "custom_id")));
                self.most("button label", length(text(button, "label")));
            }
        }
    }

    /// The answer to an interaction of a kind.
    pub(crate) fn answer(&mut self, kind: u64, answer: &Value) {
        const EPHEMERAL: u64 = 64;
        let data = answer.get("data").cloned().unwrap_or_default();
        match (kind, answer.get("type").and_then(Value::as_u64)) {
            (1, Some(1)) => {}
            (2 | 3, Some(4)) => self.message(&data, &[], EPHEMERAL),
            (2 | 3, Some(5)) => {
                let flags = data.get("flags").and_then(Value::as_u64).unwrap_or_default();
                self.must(flags & !EPHEMERAL == 0, "with a promise the only flag is EPHEMERAL");
                let others = data.as_object().is_some_and(|data| data.keys().any(|name| name != "flags"));
                self.must(!others, "a promise says nothing yet");
            }
            (4, Some(8)) => self.choices(list(&data, "choices")),
            (kind, found) => self.0.push(format!("an interaction of type {kind} cannot be answered with {found:?}")),
        }
    }

    fn choices(&mut self, choices: &[Value]) {
        self.most("option choices", choices.len());
        for choice in choices {
            self.between("choice name", 1, length(text(choice, "name")));
            self.between("choice value", 1, length(text(choice, "value")));
        }
    }

    /// All commands of an application.
    pub(crate) fn commands(&mut self, commands: &Value) {
        let mut seen = Vec::new();
        for command in commands.as_array().expect("a list of commands") {
            let (kind, name) = (command.get("type").and_then(Value::as_u64).unwrap_or(1), text(command, "name"));
            self.must(!seen.contains(&(kind, name)), format!("two commands are called {name}"));
            seen.push((kind, name));
            self.between("command name", 1, length(name));
            if kind == 1 {
                let mut size = 0;
                self.option(command, &mut size);
                self.most("command in all", size);
            } else {
                self.must(text(command, "description").is_empty(), "a command on a message has no description");
                self.must(command.get("options").is_none(), "a command on a message has no options");
            }
            for context in list(command, "contexts") {
                self.must(context.as_u64().is_some_and(|context| context <= 2), "contexts are 0, 1 and 2");
            }
        }
    }

    /// A command or an option: both have a name, a description and options.
    fn option(&mut self, option: &Value, size: &mut usize) {
        let (name, description) = (text(option, "name"), text(option, "description"));
        self.between("command name", 1, length(name));
        let fits = |letter: char| letter.is_alphanumeric() && !letter.is_uppercase() || "-_'".contains(letter);
        self.must(
            name.chars().all(fits),
            format!("{name:?} is no name: ^[-_'\\p{{L}}\\p{{N}}]{{1,32}}$ in lower case"),
        );
        self.between("command description", 1, length(description));
        *size += length(name) + length(description);
        let choices = list(option, "choices");
        self.choices(choices);
        *size +=
            choices.iter().map(|choice| length(text(choice, "name")) + length(text(choice, "value"))).sum::<usize>();
        let offers = option.get("autocomplete").and_then(Value::as_bool) == Some(true);
        self.must(!offers || choices.is_empty(), "an option offers choices, or completes what is typed");
        self.must(
            option.get("max_length").is_none_or(|most| {
                most.as_u64().is_some_and(|most| most >= 1 && most <= limit("option length") as u64)
            }),
            "option length",
        );
        let options = list(option, "options");
        self.most("command options", options.len());
        let needed = |option: &Value| option.get("required").and_then(Value::as_bool) == Some(true);
        self.must(options.is_sorted_by_key(|option| !needed(option)), "what is required comes first");
        let subs = options.iter().filter(|option| option.get("type").and_then(Value::as_u64) == Some(1)).count();
        self.must(subs == 0 || subs == options.len(), "subcommands and options do not mix");
        for option in options {
            self.option(option, size);
        }
    }
}

/// One character too many.
fn long(most: usize) -> String {
    "x".repeat(most + 1)
}

#[test]
fn a_message_that_is_too_long_is_noticed() {
    let nobody = json!({ "parse": [] });
    let message = |message: Value, files: &[(String, usize)]| {
        let mut faults = Faults::default();
        let mut message = message;
        message["allowed_mentions"] = nobody.clone();
        faults.message(&message, files, 0);
        faults.0
    };
    assert!(message(json!({ "content": "x".repeat(2000) }), &[]).is_empty());
    let picture = |name: &str, bytes| vec![(name.to_owned(), bytes)];
    let embed = |embed: Value| json!({ "embeds": [embed] });
    let row = |n: usize, id: &str| json!({ "components": vec![json!({ "custom_id": id }); n] });
    let described = |alt: &str| json!({ "attachments": [{ "id": 0, "filename": "a.png", "description": alt }] });
    let wrong = [
        ("content", message(json!({ "content": long(2000) }), &[])),
        ("embeds", message(json!({ "embeds": vec![json!({ "title": "x" }); 11] }), &[])),
        ("embeds in all", message(json!({ "embeds": vec![json!({ "description": "x".repeat(4000) }); 2] }), &[])),
        ("embed title", message(embed(json!({ "title": long(256) })), &[])),
        ("embed description", message(embed(json!({ "description": long(4096) })), &[])),
        ("embed fields", message(embed(json!({ "fields": vec![json!({ "name": "x", "value": "x" }); 26] })), &[])),
        ("embed field name", message(embed(json!({ "fields": [{ "name": long(256) }] })), &[])),
        ("embed field value", message(embed(json!({ "fields": [{ "value": long(1024) }] })), &[])),
        ("embed footer", message(embed(json!({ "footer": { "text": long(2048) } })), &[])),
        ("embed author", message(embed(json!({ "author": { "name": long(256) } })), &[])),
        ("attachment description", message(described(&long(1024)), &picture("a.png", 1))),
        ("file", message(described("x"), &picture("a.png", 11_000_000))),
        ("request", message(described("x"), &picture("a.png", 27_000_000))),
        ("custom_id", message(json!({ "content": "x", "components": [row(1, &long(100))] }), &[])),
        (
            "button label",
            message(
                json!({ "content": "x", "components": [{ "components": [{ "custom_id": "x", "label": long(80) }] }] }),
                &[],
            ),
        ),
        ("buttons in a row", message(json!({ "content": "x", "components": [row(6, "x")] }), &[])),
        ("action rows", message(json!({ "content": "x", "components": vec![row(1, "x"); 6] }), &[])),
        ("files", message(json!({ "content": "x" }), &vec![("a".to_owned(), 1); 11])),
        ("a message has content", message(json!({}), &[])),
        ("a picture has", message(described(""), &picture("a.png", 1))),
        ("\"../a\" is no plain file name", message(json!({}), &picture("../a", 1))),
    ];
    for (what, found) in wrong {
        assert!(found.iter().any(|fault| fault.starts_with(what)), "{what}: {found:?}");
    }
}

#[test]
fn a_command_that_is_too_long_is_noticed() {
    let command = |command: Value| {
        let mut faults = Faults::default();
        faults.commands(&json!([command]));
        faults.0
    };
    let option = json!({ "type": 3, "name": "x", "description": "x" });
    let with = |name: &str, value: Value| {
        let mut option = option.clone();
        option[name] = value;
        json!({ "type": 1, "name": "x", "description": "x", "options": [option] })
    };
    let choice = |name: &str, value: &str| json!([{ "name": name, "value": value }]);
    let wrong = [
        ("command name", command(json!({ "name": long(32), "description": "x" }))),
        ("command name: 0 of at least", command(json!({ "name": "", "description": "x" }))),
        ("\"Two words\" is no name", command(json!({ "name": "Two words", "description": "x" }))),
        ("command description", command(json!({ "name": "x", "description": long(100) }))),
        ("command description: 0", command(json!({ "name": "x", "description": "" }))),
        ("command options", command(json!({ "name": "x", "description": "x", "options": vec![option.clone(); 26] }))),
        ("option choices", command(with("choices", json!(vec![json!({ "name": "x", "value": "x" }); 26])))),
        ("choice name", command(with("choices", choice(&long(100), "x")))),
        ("choice value", command(with("choices", choice("x", &long(100))))),
        ("option length", command(with("max_length", json!(6001)))),
        (
            "command in all",
            command(json!({ "name": "x", "description": "x", "options": vec![
                json!({ "type": 3, "name": "x", "description": "x".repeat(100), "choices": vec![
                    json!({ "name": "x".repeat(90), "value": "x".repeat(90) }); 10] }); 5] })),
        ),
    ];
    for (what, found) in wrong {
        assert!(found.iter().any(|fault| fault.starts_with(what)), "{what}: {found:?}");
    }
    assert!(command(json!({ "type": 3, "name": "Record move" })).is_empty());
    for (what, most, page) in TABLE {
        assert!(!what.is_empty() && most > 0 && page.contains('#'), "{what}");
    }
}
