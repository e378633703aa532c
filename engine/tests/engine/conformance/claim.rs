//! An expectation of a case at a point of its match.

use engine::Seat;

/// An expectation, as written in its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// `state pot 2 | chips 3 / 1`: these values of the state.
    State(Vec<String>),
    /// `public private ? / ?`: the same, as anybody may see it.
    Public(Vec<String>),
    /// `p1 sees private R5 G2 / ?`: the same, as this seat may see it.
    Seat(Seat, Vec<String>),
    /// `line 1. score / claim`: the last step, written canonically.
    Line(String),
    /// `public line 1. score / block:?`: the same, as anybody may read it.
    PublicLine(String),
    /// `effect p1 steal failed 1.5.4`: an effect of the last step, with its clause.
    Effect(String),
    /// `no effect p1 steal failed 1.5.4`.
    NoEffect(String),
    /// `seals p1 target`: the fields of the last step that stay sealed; `seals nothing`.
    Seals(Vec<String>),
    /// `opens p1 first | p2 first`: the fields of earlier steps that the last one makes public; `opens nothing`.
    Opens(Vec<String>),
    /// `asks both round 60s`: all open questions; `asks nothing`.
    Asks(Vec<String>),
    /// `refused 1.1.3 of p1: 3. score / claim`: this line is refused by that clause, and nothing changes.
    Refused { rule: String, seat: Option<Seat>, line: String },
    /// `refused: 3. score`: this line is refused without a clause: it does not read, or the match is over.
    Unread(String),
    /// `refused tag: [P2Items "overload"]`: with this tag in its place, the file does not open.
    RefusedTag(String),
    /// `refused without DMO`: without this tag, the file does not open.
    RefusedWithout(String),
    /// `refused answer 3.5.1 of p2 answer: hands 2C ...`: the seat could not send this answer, by that clause, though a
    /// record may contain a line with it.
    RefusedAnswer { rule: String, seat: Seat, what: String, sent: String },
    /// `accepts: 3. claim / claim`: this line would be accepted, too.
    Accepts(String),
    /// `reads p1 round gc as grow claim`: the canonical form of this answer to that question.
    Reads { seat: Seat, what: String, sent: String, canonical: String },
    /// `result won p1 more-chips`, `result running`.
    Result(String),
    /// `finds p1 valid-set`: a finding of the search of the state.
    Finds(String),
    /// `finds no p1 valid-set`.
    FindsNo(String),
}

fn list(text: &str) -> Vec<String> {
    text.split(" | ").map(|part| part.trim().to_owned()).filter(|part| part != "nothing").collect()
}

fn seat(word: &str) -> Option<Seat> {
    word.parse().ok()
}

impl Claim {
    /// Reads a comment; none if it is not an expectation.
    pub(crate) fn read(comment: &str) -> Option<Self> {
        if let Some(rest) = comment.strip_prefix("refused tag: ") {
            return Some(Self::RefusedTag(rest.to_owned()));
        }
        if let Some(rest) = comment.strip_prefix("refused answer ") {
            let (asked, sent) = rest.split_once(": ")?;
            let (rule, asked) = asked.split_once(" of ")?;
            let (who, what) = asked.split_once(' ')?;
            let (rule, what, sent) = (rule.to_owned(), what.to_owned(), sent.to_owned());
            return Some(Self::RefusedAnswer { rule, seat: seat(who)?, what, sent });
        }
        if let Some(rest) = comment.strip_prefix("refused without ") {
            return Some(Self::RefusedWithout(rest.to_owned()));
        }
        if let Some(rest) = comment.strip_prefix("refused: ") {
            return Some(Self::Unread(rest.to_owned()));
        }
        if let Some(rest) = comment.strip_prefix("accepts: ") {
            return Some(Self::Accepts(rest.to_owned()));
        }
        if let Some(rest) = comment.strip_prefix("refused ") {
            let (rule, line) = rest.split_once(": ")?;
            let (rule, who) = match rule.split_once(" of ") {
                Some((rule, who)) => (rule, Some(seat(who)?)),
                None => (rule, None),
            };
            return Some(Self::Refused { rule: rule.to_owned(), seat: who, line: line.to_owned() });
        }
        let (word, rest) = comment.split_once(' ')?;
        Some(match word {
            "state" => Self::State(list(rest)),
            "public" => match rest.strip_prefix("line ") {
                Some(line) => Self::PublicLine(line.to_owned()),
                None => Self::Public(list(rest)),
            },
            "p1" | "p2" => Self::Seat(seat(word)?, list(rest.strip_prefix("sees ")?)),
            "line" => Self::Line(rest.to_owned()),
            "effect" => Self::Effect(rest.to_owned()),
            "no" => Self::NoEffect(rest.strip_prefix("effect ")?.to_owned()),
            "seals" => Self::Seals(list(rest)),
            "opens" => Self::Opens(list(rest)),
            "asks" => Self::Asks(list(rest)),
            "result" => Self::Result(rest.to_owned()),
            "finds" => match rest.strip_prefix("no ") {
                Some(rest) => Self::FindsNo(rest.to_owned()),
                None => Self::Finds(rest.to_owned()),
            },
            "reads" => {
                let (who, rest) = rest.split_once(' ')?;
                let (what, rest) = rest.split_once(' ')?;
                let (sent, canonical) = rest.split_once(" as ")?;
                Self::Reads {
                    seat: seat(who)?,
                    what: what.to_owned(),
                    sent: sent.to_owned(),
                    canonical: canonical.to_owned(),
                }
            }
            _ => return None,
        })
    }
}
