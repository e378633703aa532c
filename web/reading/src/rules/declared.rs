//! The games that umpires declared: all of them, and the page of one.

use std::sync::Arc;

use app::App;
use app::archive::{DeclaredGame, Filter};
use app::views::ruleset_name;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use ledger::{Hash, MatchId};

use page::{Frame, MatchList, When, archive_of, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers};

/// The matches that the page of a game lists; the archive has all.
const MATCHES: usize = 20;

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
    archive: String,
    /// Its newest match, from which an umpire opens another one.
    newest: String,
    /// Games of the same title that ask or count otherwise: the address and the number of matches of each.
    others: Vec<(String, String)>,
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
    let newest = matches.first().ok_or_else(none)?;
    let (slug, listed) = (newest.slug.clone(), newest.ruleset.clone());
    let history = app.matches.history(MatchId(newest.match_id)).await?;
    let declared = history.ruleset().declaration().ok_or_else(none)?;
    let others = app.archive().declared_games().await?.into_iter();
    let others = others.filter(|other| other.title == listed && other.game != word);
    let title = ruleset_name(&listed);
    matches.truncate(MATCHES);
    let frame = Frame::titled(&title)
        .in_section("rules")
        .described(format!("What {title} asks and counts, as its umpire declared it, and the matches of it."));
    page(&Game {
        frame: Frame { umpire: visitor.name(), ..frame },
        source: declared.source.clone(),
        sentences: declared.sentences(),
        declaration: declared.lines().join("\n"),
        hash,
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
