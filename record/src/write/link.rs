//! A private link to a seat.

use engine::Seat;

use super::{NewEntries, WriteContext, WriteError};
use crate::body::{Body, LinkAct, Linked, Mode, SeatWord};
use crate::history::History;

/// Says what became of a link to a seat.
pub fn link(
    context: &WriteContext<'_>,
    history: &History,
    seat: Seat,
    link: u32,
    act: LinkAct,
) -> Result<NewEntries, WriteError> {
    if history.opened.mode == Mode::Imported {
        return Err(WriteError::NotNow("this match was over when it was entered, so there are no links to its seats"));
    }
    let body = Body::Linked(Linked { seat: SeatWord(seat), link, act });
    Ok(NewEntries { drafts: vec![context.draft(&body)], ..NewEntries::default() })
}
