//! The games that umpires declared: all of them, and the page of one.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use app::App;
use app::archive::{DeclaredGame, Filter};
use app::views::{ruleset_name, spoken_line};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use engine::Seat;
use engine::games::declared::{Declaration, Part};
use ledger::{Hash, MatchId};
use record::History;

use page::{Frame, MatchList, When, archive_of, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers};

/// The matches that the page of a game lists and counts; the archive has all.
const MATCHES: usize = 20;
/// The answers that are counted one by one.
const ANSWERS: usize = 8;

#[derive(Template)]
#[template(path = "rules/declared_games.html")]
struct Games {
    frame: Frame,
    games: Vec<DeclaredGame>,
    spoilers: Spoilers,
}

#[derive(Template)]
#[template(path = "rules/declared_game.html")]
struct Game {
    frame: Frame,
    title: String,
    source: Option<String>,
    sentences: Vec<String>,
    declaration: String,
    hash: Hash,
    list: MatchList,
    answers: Vec<Answers>,
    archive: String,
    /// Its newest match, from which an umpire opens another one.
    newest: String,
    /// Games of the same title that ask or count otherwise: the address and the number of matches of each.
    others: Vec<(String, String)>,
}

/// What was answered to a question, the most frequent first.
struct Answers {
    question: String,
    answers: Vec<(String, usize)>,
    others: usize,
    total: usize,
}

impl Answers {
    /// The answers in some matches of a game. What nobody may read is not counted, and texts are not compared.
    fn of(game: &Declaration, histories: &[Arc<History>]) -> Vec<Self> {
        let asked = game.asks.iter().filter(|ask| !ask.parts.iter().any(|part| matches!(part, Part::Text(_))));
        let counted = asked.map(|ask| {
            let steps = histories.iter().flat_map(|history| &history.steps).filter(|step| step.what == ask.name);
            let sent = steps.flat_map(|step| Seat::BOTH.map(|seat| step.moves[seat].as_deref())).flatten();
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            sent.filter(|sent| !sent.contains('?')).for_each(|sent| *counts.entry(sent).or_default() += 1);
            let total = counts.values().sum();
            let mut answers: Vec<(&str, usize)> = counts.into_iter().collect();
            answers.sort_by_key(|(_, times)| Reverse(*times));
            let others = answers.iter().skip(ANSWERS).map(|(_, times)| times).sum();
            let words =
                |sent: &str| histories.first().and_then(|history| spoken_line(history, sent)).unwrap_or_default();
            let answers = answers.into_iter().take(ANSWERS).map(|(sent, times)| (words(sent), times)).collect();
            Self { question: game.label(&ask.name).to_owned(), answers, others, total }
        });
        counted.filter(|answers| answers.total > 0).collect()
    }
}

fn address(game: &DeclaredGame) -> String {
    format!("/games/{}", game.game.rsplit('/').next().unwrap_or_default())
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let games = app.archive().declared_games().await?;
    let frame = Frame::titled("Declared games")
        .in_section("rules")
        .described("Games that umpires declared for their matches: what each asks and counts, and who played it.");
    page(&Games { frame: Frame { umpire: visitor.name(), ..frame }, games, spoilers })
}

pub(super) async fn game(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(hash): Segments<String>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let none =
        || Problem::not_found("No match of such a game was opened here.").back("/games", "See the declared games");
    let hash: Hash = hash.parse().map_err(|_| none())?;
    let word = format!("declared/{hash}");
    let filter = Filter { game: Some(word.clone()), ..Filter::default() };
    let mut matches = app.archive().list(&filter, None).await?.matches;
    matches.truncate(MATCHES);
    let newest = matches.first().ok_or_else(none)?;
    let (slug, listed) = (newest.slug.clone(), newest.ruleset.clone());
    // A match that cannot be read is left out; its page says why.
    let mut histories = Vec::new();
    for listed in &matches {
        histories.extend(app.matches.history(MatchId(listed.match_id)).await.ok());
    }
    let history = histories.first().cloned().ok_or_else(none)?;
    let declared = history.ruleset().declaration().ok_or_else(none)?;
    histories.retain(|history| history.is_ended() && !spoilers.hidden());
    let others = app.archive().declared_games().await?.into_iter();
    let others = others.filter(|other| other.title == listed && other.game != word);
    let title = ruleset_name(&listed);
    let frame = Frame::titled(&title)
        .in_section("rules")
        .described(format!("What {title} asks and counts, as its umpire declared it, and the matches of it."));
    page(&Game {
        frame: Frame { umpire: visitor.name(), ..frame },
        source: declared.source.clone(),
        sentences: declared.sentences(),
        declaration: declared.lines().join("\n"),
        hash,
        answers: Answers::of(declared, &histories),
        list: MatchList::of(format!("Matches of {title}"), &matches).with_hidden_caption().with_spoilers(spoilers),
        archive: spoilers.in_address(archive_of(&[("game", &word)])),
        newest: slug,
        others: others.map(|other| (address(&other), other.matches.to_string())).collect(),
        title,
    })
}

impl Games {
    fn address(&self, game: &DeclaredGame) -> String {
        self.spoilers.in_address(address(game))
    }

    fn last(&self, game: &DeclaredGame) -> When {
        When::day(game.last)
    }

    fn title(&self, game: &DeclaredGame) -> String {
        ruleset_name(&game.title)
    }
}
