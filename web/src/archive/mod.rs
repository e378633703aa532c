//! Soon.

use std::sync::Arc;

use axum::Router;

use crate::book::Book;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
}
