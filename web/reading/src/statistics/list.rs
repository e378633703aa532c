//! Every ruleset that has statistics, game by game, with the results of its matches.

use std::sync::Arc;

use app::App;
use app::archive::ResultCount;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use engine::RulesetCard;

use page::{ActionIcon, Frame, page};
use web_http::Problem;
use web_http::visitor::Visitor;

#[derive(Template)]
#[template(path = "statistics/list.html")]
struct List {
    frame: Frame,
    games: Vec<Game>,
}

struct Game {
    id: &'static str,
    title: &'static str,
    icon: Option<ActionIcon>,
    rulesets: Vec<RulesetRow>,
}

struct RulesetRow {
    address: String,
    name: String,
    n: i64,
    p1: i64,
    p2: i64,
    undecided: i64,
}

pub(super) async fn list(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, Problem> {
    let frame = Frame::titled("Statistics").in_section("statistics").described(
        "Statistics of finished Death Matches, ruleset by ruleset, with the number of matches behind each figure.",
    );
    let counts = app.archive().result_counts().await?;
    page(&List { frame: Frame { umpire: visitor.name(), ..frame }, games: games(&counts) })
}

fn games(counts: &[ResultCount]) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let title = games.last().filter(|game| game.id == ruleset.game()).map_or(&*card.title, |game| game.title);
        let row = RulesetRow::of(card, title, counts);
        match games.last_mut() {
            Some(game) if game.id == ruleset.game() => game.rulesets.push(row),
            _ => {
                games.push(Game { id: ruleset.game(), title, icon: ActionIcon::of_game(card.id), rulesets: vec![row] });
            }
        }
    }
    games
}

impl RulesetRow {
    fn of(card: &RulesetCard, title: &str, counts: &[ResultCount]) -> Self {
        let ended = |result: &str| {
            let counted = counts.iter().filter(|it| it.ruleset == card.id && it.result == result);
            counted.map(|it| it.n).sum::<i64>()
        };
        let (p1, p2, undecided) = (ended("p1"), ended("p2"), ended("undecided"));
        let name =
            if card.title == title { card.hosting.to_owned() } else { format!("{} · {}", card.hosting, card.title) };
        Self { address: format!("/statistics/{}", card.id), name, n: p1 + p2 + undecided, p1, p2, undecided }
    }
}
