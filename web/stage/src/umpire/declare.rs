//! Declaring another game on the form that opens a match: a few fields write the declaration, which is edited as text, read
//! back in sentences, and taken again from an example or from an earlier match.

use app::App;
use engine::games::declared::{DECLARED, Declaration};
use ledger::MatchId;
use store::archive::filter::Filter;

use super::form_data::FormData;
use web_http::Problem;

/// A kind of answer: its word, its name, what else has to be said, and an example of that.
pub(super) struct AnswerKind {
    pub(super) word: &'static str,
    pub(super) name: &'static str,
    pub(super) example: &'static str,
}

pub(super) const KINDS: [AnswerKind; 6] = [
    AnswerKind { word: "pick", name: "pick one of some words", example: "a b c d" },
    AnswerKind { word: "number", name: "choose a number", example: "0..20" },
    AnswerKind { word: "text", name: "write a text", example: "200" },
    AnswerKind { word: "cards", name: "play a card of their hand", example: "1..9" },
    AnswerKind { word: "cell", name: "choose a cell of a board", example: "3x3" },
    AnswerKind { word: "yes-no", name: "answer yes or no", example: "" },
];

/// Whole games to begin with, one for each kind of answer and one of several.
pub(super) const EXAMPLES: [(&str, &str); 6] = [
    (
        "Pick a word",
        "title Ten Rounds of Trust\ncounter years each 0 \"Years\"\nask choice both pick 1 of (silent confess) clock 30 default (silent)\nrounds 10\nfirst choice both",
    ),
    (
        "Bid a number",
        "title Dollar Auction\ncounter coins each 20 \"Coins\"\ncounter rooms each 0 \"Rooms\"\nask bid both number 0..coins clock 60 default (0) \"Your bid\"\nscore rooms\nfirst bid both",
    ),
    (
        "Write a text",
        "title Best Answer\ncounter points each 0 \"Points\"\nask answer both text 200 clock 120 \"Your text\"\nfirst answer both",
    ),
    (
        "Play a card",
        "title Nine Cards\ncounter tricks each 0 \"Tricks\"\nhand cards-left each of (1..9) \"Cards\"\nhand played each \"Played\"\nask card both cards 1 from cards-left to played clock 45 \"Your card\"\nrounds 9\nfirst card both",
    ),
    (
        "Choose a cell",
        "title Three in a Row\ncounter wins each 0 \"Wins\"\nboard grid 3x3 \"Board\"\nask mark one cell of grid clock 30 \"Your cell\"\nfirst mark p1",
    ),
    (
        "Stake and throw",
        "title Betting Rock, Paper, Scissors\ncounter chips each 10 \"Chips\"\nask turn both number 1..chips; pick 1 of (rock paper scissors) clock 30 \"Stake and throw\"\nfirst turn both",
    ),
];

/// How many earlier games are offered.
const EARLIER: usize = 8;
const FIELD: &str = "declare-";

/// A game of an earlier match, by the address of that match.
pub(super) struct EarlierGame {
    pub(super) slug: String,
    pub(super) title: String,
    match_id: MatchId,
}

/// The games that this umpire declared before, each once, the newest first.
pub(super) async fn earlier(app: &App, umpire: &str) -> Result<Vec<EarlierGame>, Problem> {
    let game = Some(app::archive::DECLARED.to_owned());
    let filter = Filter { game, umpire: Some(umpire.to_owned()), ..Filter::default() };
    let mut games: Vec<EarlierGame> = Vec::new();
    for listed in app.archive().list(&filter, None).await?.matches {
        if games.len() < EARLIER && games.iter().all(|game| game.title != listed.ruleset) {
            games.push(EarlierGame { match_id: MatchId(listed.match_id), slug: listed.slug, title: listed.ruleset });
        }
    }
    Ok(games)
}

/// The fields of the game of another match, whoever declared it; none if it has no such game.
pub(super) async fn of_match(app: &App, slug: &str) -> Result<Vec<(String, String)>, Problem> {
    if slug.is_empty() {
        return Ok(Vec::new());
    }
    let history = app.matches.history_of(slug).await?;
    let game = history
        .ruleset()
        .declaration()
        .map(|game| [("ruleset", DECLARED.to_owned()), ("game", game.lines().join("\n"))]);
    Ok(game.into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The form as a press of one of its buttons leaves it; none if no such button was pressed.
pub(super) async fn pressed(app: &App, umpire: &str, sent: &FormData) -> Result<Option<FormData>, Problem> {
    let text = match sent.text("do").split_once(' ') {
        Some(("example", name)) => EXAMPLES.iter().find(|(of, _)| *of == name).map(|(_, text)| (*text).to_owned()),
        Some(("from", slug)) => match earlier(app, umpire).await?.into_iter().find(|game| game.slug == slug) {
            Some(game) => {
                let history = app.matches.history(game.match_id).await?;
                history.ruleset().declaration().map(|game| game.lines().join("\n"))
            }
            None => None,
        },
        None if sent.text("do") == "write" => Some(written(sent)),
        _ => return Ok(None),
    };
    let kept = sent.all_but(&["game", "ruleset"]).into_iter();
    let game = text.unwrap_or_else(|| sent.text("game").to_owned());
    let now = [("game", game), ("ruleset", DECLARED.to_owned())];
    Ok(Some(FormData::of(kept.chain(now.map(|(name, value)| (name.to_owned(), value))).collect())))
}

/// The declaration that the fields say, whatever else it lacks: reading it tells.
fn written(sent: &FormData) -> String {
    let text = |name: &str| sent.text(&format!("{FIELD}{name}"));
    let of = text("of").trim_matches(['(', ')']).replace(',', " ");
    let (kind, mut lines) = (text("kind"), Vec::new());
    let title = text("title");
    lines.extend((!title.is_empty()).then(|| format!("title {title}")));
    for counter in text("counters").split([',', '\n']).filter(|counter| !counter.trim().is_empty()) {
        let (label, start) = match counter.trim().rsplit_once(' ') {
            Some((label, start)) if start.parse::<i32>().is_ok() => (label.trim(), start),
            _ => (counter.trim(), "0"),
        };
        let below = if start.starts_with('-') { format!(" from {start}") } else { String::new() };
        lines.push(format!("counter {} each {start}{below} {}", name_of(label), engine::dmn::quotes::quoted(label)));
    }
    let part = match kind {
        "number" => format!("number {of}"),
        "text" => format!("text {}", if of.is_empty() { "200" } else { &of }),
        "cards" => {
            lines.push(format!("hand hand-of each of ({of}) \"Hand\""));
            lines.push("hand played each \"Played\"".to_owned());
            "cards 1 from hand-of to played".to_owned()
        }
        "cell" => {
            lines.push(format!("board grid {of} \"Board\""));
            "cell of grid".to_owned()
        }
        "yes-no" => "yes-no".to_owned(),
        _ => format!("pick 1 of ({of})"),
    };
    let clock = text("clock");
    let clock = if clock.is_empty() { String::new() } else { format!(" clock {clock}") };
    lines.push(format!("ask answer both {part}{clock}"));
    lines.push("first answer both".to_owned());
    lines.join("\n")
}

/// A name for what has a label: its letters, and a letter first.
fn name_of(label: &str) -> String {
    let small = label.to_lowercase();
    let parts = small.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name = parts.collect::<Vec<_>>().join("-");
    let name: String = name.chars().take(20).collect();
    if name.starts_with(|first: char| first.is_ascii_lowercase()) { name } else { format!("c-{name}") }
}

/// The declaration in sentences; empty while it does not read.
pub(super) fn read_back(sent: &FormData) -> Vec<String> {
    Declaration::read(sent.text("game").lines()).map(|game| game.sentences()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_and_every_kind_reads() {
        for (name, text) in EXAMPLES {
            assert!(Declaration::read(text.lines()).is_ok(), "{name}");
        }
        for kind in &KINDS {
            let fields = [
                ("title", "Colour Wheel"),
                ("counters", "Points, Coins left 10, below -3"),
                ("kind", kind.word),
                ("of", kind.example),
                ("clock", "60"),
            ];
            let fields = fields.map(|(name, value)| (format!("{FIELD}{name}"), value.to_owned()));
            let text = written(&FormData::of(fields.into()));
            let game = Declaration::read(text.lines()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(game.lines().join("\n"), text, "nothing has to be tidied up");
        }
    }
}
