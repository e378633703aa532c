//! The pages for fans: the first page, the archive, a match with its score sheet, and every moment of it.
//!
//! Nothing here may show sealed values: lines and states are read only through [`app::views::VisibleMatch`].

mod awaited_round;
mod change_note;
mod comments;
mod embed;
mod featured;
mod filter_form;
mod home;
mod known_result;
mod known_result_form;
mod known_result_sheet;
mod last_table;
mod list;
mod list_files;
mod live_tile;
mod match_files;
mod match_page;
mod match_table;
mod moment;
mod moment_context;
mod moment_routes;
mod named_in_words;
mod oembed;
mod page_cache;
mod picture;
mod query;
mod recordings;
mod similar_names;
mod spoiler_free;
mod suggest;
mod view_request;
mod wider_filters;

use std::sync::Arc;

use app::{App, AppError};
use axum::routing::get;
use axum::{Extension, Router};

use web_http::{ErrorKind, Problem};

pub fn lists() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home::home))
        .route("/archive", get(list::list))
        .route("/suggest.json", get(suggest::suggest))
}

/// Matches that are known by their result: told, corrected and removed.
pub fn known_results() -> Router<Arc<App>> {
    Router::new()
        .route("/umpire/results", get(known_result_form::show).post(known_result_form::send))
        .route("/umpire/results/sheet", get(known_result_sheet::show).post(known_result_sheet::send))
        .route("/umpire/results/{slug}", get(known_result_form::of_match).post(known_result_form::change))
}

pub fn routes(app: &App) -> Router<Arc<App>> {
    list_files::routes()
        // A match's page and its files: the text after the dot selects one.
        .route("/m/{name}", get(match_files::page_or_file))
        .route("/m/{slug}/r/{row}", get(moment_routes::row))
        .route("/m/{slug}/r/{row}/{beat}", get(moment_routes::moment))
        .route("/m/{slug}/struck/{entry}/r/{row}/{beat}", get(moment_routes::struck))
        .route("/m/{slug}/comments", get(comments::back).post(comments::send))
        .route("/m/{slug}/recordings", get(comments::back).post(recordings::send))
        .route("/m/{slug}/round", get(awaited_round::show).post(awaited_round::hand_in))
        .route("/oembed", get(oembed::oembed))
        .route("/embed/m/{slug}", get(moment_routes::embedded_match))
        .route("/embed/m/{slug}/r/{row}/{beat}", get(moment_routes::embedded))
        .layer(Extension(Arc::new(page_cache::PageCache::of(app.matches.cache()))))
}

/// An error on the way to a match's page. A record that cannot be read can still be checked.
fn history_problem(slug: &str, error: AppError) -> Problem {
    match error {
        AppError::Unreadable(_) => {
            let detail = "What is stored for this match does not make sense to this program. The check says where.";
            Problem::of(ErrorKind::Unreadable, detail)
                .caused_by(&error)
                .back(format!("/m/{slug}/verify"), "See what the check found")
        }
        error => Problem::from(error),
    }
}

#[cfg(test)]
mod tests;
