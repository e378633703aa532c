//! Every ruleset, game by game.

use app::views::ruleset_address;
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::RulesetCard;

use page::{Frame, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "rules/list.html")]
struct List {
    frame: Frame,
    games: Vec<Game>,
}

struct Game {
    id: &'static str,
    title: &'static str,
    designer: &'static str,
    rulesets: Vec<RulesetRow>,
}

struct RulesetRow {
    address: String,
    card: &'static RulesetCard,
}

fn games() -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let listed = RulesetRow { address: ruleset_address(card.id), card };
        match games.last_mut() {
            Some(game) if game.id == ruleset.game() => game.rulesets.push(listed),
            _ => games.push(Game {
                id: ruleset.game(),
                title: &card.title,
                designer: card.designer,
                rulesets: vec![listed],
            }),
        }
    }
    games
}

pub(super) async fn list(visitor: Visitor) -> Result<Response, Problem> {
    let frame = Frame::titled("Rules")
        .in_section("rules")
        .described("The rules of the Death Matches in our own words, with numbered clauses and rulings.");
    page(&List { frame: Frame { umpire: visitor.name(), ..frame }, games: games() })
}

pub(super) async fn game(Segments(game): Segments<String>) -> Result<Response, Problem> {
    if games().iter().any(|known| known.id == game) {
        Ok(Redirect::to(&format!("/rules#{game}")).into_response())
    } else {
        Err(Problem::not_found("There is no game of this name.").back("/rules", "See every game"))
    }
}
