//! The shape of a step's line, before any game has looked at it: the speaker, and the text of each part.

use winnow::Parser;
use winnow::ascii::{Caseless, digit1, multispace0};
use winnow::combinator::{alt, opt, preceded, terminated};
use winnow::error::ContextError;
use winnow::token::rest;

use super::quotes::split_outside_quotes;
use crate::{Refusal, ResultRuling, Seat, Verdict, vocabulary};

#[derive(Debug)]
pub(crate) struct Shape<'t> {
    pub(crate) number: Option<Number<'t>>,
    pub(crate) body: Body<'t>,
    said: Part<'t>,
}

#[derive(Debug)]
pub(crate) struct Number<'t> {
    pub(crate) value: u32,
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

/// A piece of the line with its byte offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

#[derive(Debug)]
pub(crate) enum Body<'t> {
    Both { p1: Part<'t>, p2: Part<'t> },
    One { seat: Seat, sent: Part<'t> },
    Host(Part<'t>),
    Says(Part<'t>),
    Umpire(ResultRuling),
}

#[derive(Clone, Copy)]
enum Speaker {
    Seat(Seat),
    Host,
    Umpire,
}

fn speaker(input: &mut &str) -> Result<Speaker, ContextError> {
    let name = alt((
        Caseless("p1").value(Speaker::Seat(Seat::P1)),
        Caseless("p2").value(Speaker::Seat(Seat::P2)),
        Caseless("host").value(Speaker::Host),
        Caseless("umpire").value(Speaker::Umpire),
    ));
    terminated(name, (multispace0, ':')).parse_next(input)
}

fn round<'t>(input: &mut &'t str) -> Result<&'t str, ContextError> {
    terminated(digit1, '.').parse_next(input)
}

impl<'t> Part<'t> {
    fn of(line: &str, text: &'t str) -> Self {
        let text = text.trim();
        Self { text, at: text.as_ptr() as usize - line.as_ptr() as usize }
    }
}

pub(crate) fn read(line: &str) -> Result<Shape<'_>, Refusal> {
    let mut input = line;
    let spoken = preceded(multispace0, opt(speaker)).parse_next(&mut input).unwrap_or(None);
    if let Some(speaker) = spoken {
        let said: &str = rest::<_, ContextError>.parse_next(&mut input).unwrap_or_default();
        let part = Part::of(line, said);
        if part.text.is_empty() {
            return Err(Refusal::of_text(line.len(), "", "expected a move after the colon, or - for none"));
        }
        let body = match speaker {
            Speaker::Seat(seat) => Body::One { seat, sent: part },
            Speaker::Host => Body::Host(part),
            Speaker::Umpire if part.text.split_whitespace().next() == Some("says") => Body::Says(part),
            Speaker::Umpire => Body::Umpire(decision(part)?),
        };
        return Ok(Shape { number: None, body, said: part });
    }
    let number = opt(round).parse_next(&mut input).unwrap_or(None).map(|text: &str| {
        // A number too large to hold is certainly not that of the coming round.
        Number { value: text.parse().unwrap_or(u32::MAX), text, at: text.as_ptr() as usize - line.as_ptr() as usize }
    });
    Ok(Shape { number, body: both(line, input)?, said: Part::of(line, input) })
}

fn both<'t>(line: &'t str, moves: &'t str) -> Result<Body<'t>, Refusal> {
    let mut parts = split_outside_quotes(moves, b'/').map(|(_, part)| part);
    let (Some(p1), Some(p2)) = (parts.next(), parts.next()) else {
        let found = Part::of(line, moves);
        return Err(Refusal::of_text(
            found.at,
            found.text,
            "expected two moves with / between them, or p1: p2: host: umpire: and what they say",
        ));
    };
    if let Some(third) = parts.next() {
        let at = third.as_ptr() as usize - line.as_ptr() as usize - 1;
        return Err(Refusal::of_text(at, "/", "expected the end of the line: a line holds two moves"));
    }
    let (p1, p2) = (Part::of(line, p1), Part::of(line, p2));
    for part in [p1, p2] {
        if part.text.is_empty() {
            return Err(Refusal::of_text(part.at, "", "expected a move on each side of /, or - for none"));
        }
    }
    Ok(Body::Both { p1, p2 })
}

fn decision(part: Part<'_>) -> Result<ResultRuling, Refusal> {
    let verdicts = [
        ("p1", Verdict::Won(Seat::P1)),
        ("p2", Verdict::Won(Seat::P2)),
        ("undecided", Verdict::Undecided),
        ("void", Verdict::Void),
    ];
    let end = part.at + part.text.len();
    let mut said = vocabulary::split(part.text);
    let (at, verb) = said.next().unwrap_or((0, ""));
    vocabulary::find(verb, part.at + at, &[("result", ())])?;
    let (at, who) =
        said.next().ok_or_else(|| Refusal::of_text(end, "", "expected p1, p2, undecided or void, and the reason"))?;
    let verdict = vocabulary::find(who, part.at + at, &verdicts)?;
    let reason = said.next().and_then(|(at, _)| part.text.get(at..)).unwrap_or_default();
    ResultRuling::new(verdict, reason).map_err(|why| Refusal::of_text(end, "", why))
}

impl<'t> Shape<'t> {
    pub(crate) fn place(&self, seat: Option<Seat>) -> (usize, &'t str) {
        match (&self.body, seat) {
            (Body::Both { p2, .. }, Some(Seat::P2)) => (p2.at, p2.text),
            (Body::Both { p1, .. }, Some(Seat::P1)) => (p1.at, p1.text),
            _ => (self.said.at, self.said.text),
        }
    }
}
