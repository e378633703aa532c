//! The commands, as they are registered with Discord
//! (<https://docs.discord.com/developers/interactions/application-commands#application-command-object>).

use record::WAIT_SECONDS;
use record::limits::{MOVE_MAX_CHARS, NAME_MAX_CHARS, TEXT_MAX_CHARS, WORD_MAX_CHARS};
use serde_json::{Value, json};

/// The name of the command on a message.
pub(super) const RECORD: &str = "Record move";

/// Types of options.
const SUBCOMMAND: u8 = 1;
const TEXT: u8 = 3;
const NUMBER: u8 = 4;
const FLAG: u8 = 5;
const ACCOUNT: u8 = 6;

fn option(kind: u8, name: &str, description: &str) -> Value {
    json!({ "type": kind, "name": name, "description": description })
}

fn with(mut option: Value, more: &[(&str, Value)]) -> Value {
    if let Some(fields) = option.as_object_mut() {
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    option
}

fn needed(option: Value) -> Value {
    with(option, &[("required", json!(true))])
}

fn offered(option: Value) -> Value {
    with(option, &[("autocomplete", json!(true))])
}

fn word() -> Value {
    needed(text("text", "The acts, such as: points p1 by 1; \"Ada was faster\"; again", WORD_MAX_CHARS))
}

fn text(name: &str, description: &str, most: usize) -> Value {
    with(option(TEXT, name, description), &[("max_length", json!(most))])
}

fn one_of(name: &str, description: &str, choices: &[(&str, &str)]) -> Value {
    let choices: Vec<Value> = choices.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    with(option(TEXT, name, description), &[("choices", json!(choices))])
}

fn the_match() -> Value {
    offered(text("match", "Which match, where it is not the one of this channel", 100))
}

fn seat(name: &str, description: &str) -> Value {
    one_of(name, description, &[("seat 1", "p1"), ("seat 2", "p2")])
}

/// In servers only (context 0), or also in a message to the bot (context 1).
fn command(name: &str, description: &str, contexts: &[u8], options: &[Value]) -> Value {
    json!({
        "type": 1, "name": name, "description": description, "options": options,
        "contexts": contexts, "integration_types": [0],
    })
}

fn sub(name: &str, description: &str, options: &[Value]) -> Value {
    with(option(SUBCOMMAND, name, description), &[("options", json!(options))])
}

fn open_options() -> [Value; 13] {
    [
        needed(offered(text("rules", "By which rules", 100))),
        needed(option(ACCOUNT, "first", "Who sits in seat 1")),
        needed(option(ACCOUNT, "second", "Who sits in seat 2")),
        text("first-name", "The name of seat 1 in the record, if not the account's", NAME_MAX_CHARS),
        text("second-name", "The name of seat 2 in the record, if not the account's", NAME_MAX_CHARS),
        text("event", "The tournament", NAME_MAX_CHARS),
        seat("dmo", "Who is the DMO, where the rules give it a right"),
        offered(text("first-items", "The items that seat 1 has received, where the rules know any", 200)),
        offered(text("second-items", "The items that seat 2 has received, where the rules know any", 200)),
        offered(text("options", "What is set otherwise than these rules have it, such as name=value", 200)),
        one_of(
            "draws",
            "Who draws, where something is drawn",
            &[
                ("Matchbook, so that everybody can check it", "host"),
                ("you, and you type it in on the console", "umpire"),
            ],
        ),
        one_of(
            "clocks",
            "What closes the questions, if not you",
            &[("clocks that you start with each question", "posted"), ("clocks that start by themselves", "at-once")],
        ),
        with(
            option(NUMBER, "wait", "How many seconds, at most, what is sealed waits for the log's witnesses"),
            &[("min_value", json!(WAIT_SECONDS.start())), ("max_value", json!(WAIT_SECONDS.end()))],
        ),
    ]
}

fn rule_options() -> [Value; 4] {
    [
        needed(text("text", "What is decided, and why: everybody reads it", TEXT_MAX_CHARS)),
        text("clause", "The rule that applies, such as 1.4", 20),
        one_of(
            "result",
            "The result, where it decides one",
            &[("seat 1 wins", "p1"), ("seat 2 wins", "p2"), ("undecided", "undecided"), ("does not count", "void")],
        ),
        the_match(),
    ]
}

fn umpires() -> Value {
    let reason = || text("reason", "Why: everybody reads it", TEXT_MAX_CHARS);
    let seconds = needed(option(NUMBER, "seconds", "How much more"));
    let seconds = with(seconds, &[("min_value", json!(1)), ("max_value", json!(3600))]);
    let subs = [
        sub("open", "Open a match here, and seat both players", &open_options()),
        sub("here", "Have this channel follow a match", &[the_match()]),
        sub("leave", "Have this channel follow no match any more", &[]),
        sub(
            "seat",
            "Seat an account",
            &[needed(seat("seat", "Which seat")), needed(option(ACCOUNT, "player", "Who plays from it")), the_match()],
        ),
        sub(
            "invite",
            "Post buttons that give each player their own link, and ask whether both are ready",
            &[
                needed(option(ACCOUNT, "first", "Who sits in seat 1")),
                needed(option(ACCOUNT, "second", "Who sits in seat 2")),
                the_match(),
            ],
        ),
        sub("ready", "Ask both players at Discord whether they are ready", &[the_match()]),
        sub("resolve", "Close what is open, with what came until now", &[the_match()]),
        sub("pause", "Stop the clock", &[reason(), the_match()]),
        sub("resume", "Start the clock, or let it run on", &[the_match()]),
        sub("extend", "Give more time", &[seconds, reason(), the_match()]),
        sub("rule", "Rule on something", &rule_options()),
        sub("say", "In a declared game: say what became of the answers", &[word(), the_match()]),
    ];
    command("match", "For umpires: run a match from here", &[0], &subs)
}

#[must_use]
pub fn all() -> Value {
    let anywhere = [0, 1];
    let notation = needed(offered(text("move", "Your move, in the notation of the game", MOVE_MAX_CHARS)));
    json!([
        command("submit", "Send your move. Nobody else sees it", &anywhere, &[notation, the_match()]),
        command("receipt", "Your receipts, as a file to keep", &anywhere, &[the_match()]),
        command(
            "state",
            "The current match, as a picture and in words",
            &anywhere,
            &[the_match(), option(FLAG, "show", "Show it to everybody here")],
        ),
        command(
            "rules",
            "The rules of a game, or one clause of them",
            &anywhere,
            &[
                offered(text("rules", "Which rules, where they are not those of this channel's match", 100)),
                text("clause", "A clause, such as 1.4", 20),
            ],
        ),
        command(
            "link",
            "Say who you are: your private link as a player, or an umpire's code",
            &anywhere,
            &[needed(text("code", "The link, or the code. Nobody else sees it", 300))],
        ),
        umpires(),
        json!({ "type": 3, "name": RECORD, "contexts": [0], "integration_types": [0] }),
    ])
}
