//! Players, identified only by the names in the record. Each has a page and one to prepare with, any two have a page
//! together, and words can be withdrawn without changing the record.

mod habits;
mod head_to_head;
mod join;
mod list;
mod player;
mod player_scores;
mod prepare;
mod recent_form;
mod withdraw;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/players", get(list::list))
        .route("/players/{name}", get(player::player))
        .route("/players/{name}/prepare", get(prepare::prepare))
        .route("/players/{name}/vs/{other}", get(head_to_head::head_to_head))
        .route("/join/players/{name}", get(join::show).post(join::send))
        .route("/withdraw", get(withdraw::about))
        .route("/withdraw/m/{slug}", get(withdraw::of_match).post(withdraw::from_match))
        .route("/withdraw/players/{name}", get(withdraw::of_player).post(withdraw::name))
}
