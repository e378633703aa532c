//! The pages for fans: the first page, the archive, a match with its score sheet, and every moment of it.
//!
//! Nothing here may show sealed values: lines and states are read only through [`crate::page::Shown`].

mod download;
mod embed;
mod files;
mod home;
mod kept;
mod list;
mod match_page;
mod moment;
mod moments;
mod nearest;
mod oembed;
mod picture;
mod query;
#[cfg(test)]
mod sealed;
mod table;
mod unspoiled;

use std::sync::Arc;

use app::book::{Book, BookError};
use axum::routing::get;
use axum::{Extension, Router};

use crate::http::{ErrorKind, Problem};
use crate::page::listing;

/// The addresses of the lists, which depend only on the archive.
pub(crate) fn lists() -> Router<Arc<Book>> {
    Router::new().route("/", get(home::home)).route("/archive", get(list::list))
}

pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/archive.csv", get(files::csv))
        .route("/archive.ndjson", get(files::ndjson))
        .route("/archive.dmn", get(files::dmn))
        .route("/archive.json", get(files::json))
        // A match's page and its files: the text after the dot selects one.
        .route("/m/{name}", get(download::page_or_file))
        .route("/m/{slug}/r/{row}", get(moments::row))
        .route("/m/{slug}/r/{row}/{beat}", get(moments::moment))
        .route("/m/{slug}/struck/{entry}/r/{row}/{beat}", get(moments::struck))
        .route("/oembed", get(oembed::oembed))
        .route("/embed/m/{slug}", get(moments::embedded_match))
        .route("/embed/m/{slug}/r/{row}/{beat}", get(moments::embedded))
        .layer(Extension(Arc::new(kept::Kept::default())))
}

/// An error on the way to a match's page. A record that cannot be read can still be checked.
fn unread(slug: &str, error: BookError) -> Problem {
    match error {
        BookError::Unreadable(_) => {
            let detail = "What is stored for this match does not make sense to this program. The check says where.";
            Problem::of(ErrorKind::Unreadable, detail)
                .caused_by(&error)
                .back(format!("/m/{slug}/verify"), "See what the check found")
        }
        error => Problem::from(error),
    }
}
