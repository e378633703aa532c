//! Private links to seats, and the umpire's permission to look.

use ledger::{Author, Entry, Seq};

use super::Fold;
use crate::body::{Body, LinkAct, Linked, Mode, SeatWord};
use crate::history::LinkRecord;
use crate::rule::Rule;

impl Fold<'_> {
    /// Checks that `opened` of a live match says whether the umpire may look, and that no other does.
    pub(super) fn opened_eyes(&mut self, first: &Entry) {
        let opened = &self.history.opened;
        let due = opened.mode == Mode::Live;
        if due != opened.looks.is_some() {
            let what = "a live match says whether its umpire may look, and no other match does";
            let (expected, found) = if due { ("true or false", "nothing") } else { ("nothing", "true or false") };
            self.fault(Rule::Looks, first.seq, what, &expected, &found);
        }
    }

    pub(super) fn linked(&mut self, entry: &Entry, body: Linked) {
        let SeatWord(seat) = body.seat;
        if self.history.opened.mode == Mode::Imported {
            self.fault(Rule::Links, entry.seq, "this match has no entries about links", &"another kind", &entry.kind);
        }
        let made = self.history.links_made(seat);
        match body.act {
            LinkAct::Made if body.link != made => {
                self.fault(Rule::Links, entry.seq, "the links to a seat are numbered from 0", &made, &body.link);
            }
            LinkAct::Followed | LinkAct::Refused if body.link >= made => {
                self.fault(
                    Rule::Links,
                    entry.seq,
                    "a link is made before it is used",
                    &"a link that was made",
                    &body.link,
                );
            }
            LinkAct::Made | LinkAct::Followed | LinkAct::Refused => {}
        }
        let by_seat = matches!((&entry.by, seat), (Author::P1, engine::Seat::P1) | (Author::P2, engine::Seat::P2));
        let (allowed, expected) = match body.act {
            LinkAct::Made => (matches!(entry.by, Author::Umpire(_) | Author::Server), "an umpire, or the server"),
            LinkAct::Followed => (by_seat, "the seat"),
            LinkAct::Refused => (entry.by == Author::Server, "the server"),
        };
        if !allowed {
            self.fault(Rule::LinkAuthor, entry.seq, "umpires make links, and seats use them", &expected, &entry.by);
        }
        self.history.links.push(LinkRecord { entry: entry.seq, by: entry.by.clone(), at: entry.at, linked: body });
    }

    pub(super) fn key_came(&mut self, entry: Seq) {
        if !self.history.open.is_empty() {
            self.key_amid = Some(entry);
        }
    }

    /// Checks that keys stand before the first question, or behind a question whose time is up: otherwise they would
    /// tell when a seat begins to answer.
    pub(super) fn keys_are_not_amid(&mut self, next: &Body) {
        if matches!(next, Body::Key(_) | Body::Linked(_)) {
            return;
        }
        let Some(key) = self.key_amid.take() else { return };
        if !matches!(next, Body::Sealed(_) | Body::Resolved(_) | Body::ShareList(_)) {
            let what = "while a question is open, a key enters only with the answers, once its time is up";
            self.fault(Rule::KeyAmid, key, what, &"sealed, resolved or a list of shares behind it", &next.kind());
        }
    }
}
