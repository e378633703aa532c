//! The rulesets, so that a program can offer them.

use std::collections::BTreeMap;

use app::named_clauses;
use axum::response::Response;
use engine::Ruleset;
use ledger::Hash;
use serde::Serialize;
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use web_http::{Problem, Segments};

/// A ruleset.
#[derive(Serialize, ToSchema)]
#[schema(as = Ruleset)]
struct RulesetJson {
    /// What a match names.
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    id: &'static str,
    /// Its game.
    #[schema(example = "five-card-trick")]
    game: &'static str,
    /// The game's name.
    title: &'static str,
    /// Where it was played so.
    hosting: &'static str,
    /// What sets it apart.
    about: &'static str,
    /// Whether a match must say who the Death Match Opponent is.
    needs_dmo: bool,
    /// The items that a seat may have received.
    items: &'static [&'static str],
    /// The options that a match may set otherwise, with the values that each may have.
    options: BTreeMap<&'static str, &'static [&'static str]>,
    /// Whether something is drawn.
    draws: bool,
    /// Its clauses, which a ruling can name: those of every game, from 0.1 on, and its own.
    clauses: Vec<Clause>,
}

/// A clause.
#[derive(Serialize, ToSchema)]
struct Clause {
    number: &'static str,
    title: &'static str,
}

/// Every ruleset.
#[derive(Serialize, ToSchema)]
struct Rulesets {
    rulesets: Vec<RulesetJson>,
}

/// Every ruleset that a match can be played by
#[utoipa::path(get, path = "/api/v1/rulesets", tag = "reading", operation_id = "listRulesets",
    responses((status = 200, description = "The rulesets, game by game.", body = Rulesets)))]
pub(super) async fn list(request: ReadRequest) -> Result<Response, Problem> {
    let rulesets = engine::rulesets().map(ruleset_json).collect();
    request.json(Hash::ZERO, &Rulesets { rulesets })
}

pub(super) fn named(game: &str, ruleset: &str) -> Result<&'static dyn Ruleset, Problem> {
    engine::ruleset(&format!("{game}/{ruleset}")).map_err(|_| Problem::not_found("There is no ruleset of this name."))
}

/// A ruleset
#[utoipa::path(get, path = "/api/v1/rulesets/{game}/{ruleset}", tag = "reading", operation_id = "readRuleset",
    responses((status = 200, description = "As in the list.", body = RulesetJson)))]
pub(super) async fn one(
    request: ReadRequest,
    Segments((game, ruleset)): Segments<(String, String)>,
) -> Result<Response, Problem> {
    request.json(Hash::ZERO, &ruleset_json(named(&game, &ruleset)?))
}

fn ruleset_json(ruleset: &'static dyn Ruleset) -> RulesetJson {
    let card = ruleset.card();
    let clauses =
        named_clauses(ruleset).into_iter().map(|clause| Clause { number: clause.number, title: clause.title });
    RulesetJson {
        id: card.id,
        game: ruleset.game(),
        title: &card.title,
        hosting: card.hosting,
        about: card.about,
        needs_dmo: card.needs_dmo,
        items: card.items,
        options: ruleset.choices().iter().copied().collect(),
        draws: !ruleset.draws().is_empty(),
        clauses: clauses.collect(),
    }
}
