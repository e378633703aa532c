//! Ending a match that is over.

use app::book::BookError;
use axum::response::Response;

use super::console::Brought;
use super::match_context::{Chair, reason};
use super::sent::Sent;
use crate::page::Problem;

/// `POST .../end`: enters the result, and opens everything that is still secret.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    match chair.book.end(&act, chair.match_id, seen).await {
        Ok(_) => Ok(chair.done("ended")),
        Err(BookError::Refused(why)) => {
            let why = reason(&chair.history, &why);
            chair.refused(Brought { problem: Some(why.clone()), ..Brought::default() }, &why).await
        }
        Err(error) => chair.lost(error, seen.next, Vec::new()).await,
    }
}
