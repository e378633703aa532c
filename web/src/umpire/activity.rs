//! The acts in a match with their author and time, in plain words.

use std::collections::HashMap;

use app::App;
use app::account;
use askama::Template;
use ledger::{Author, Entry, MatchId, Moment, Seq};
use record::body::{Body, DrawSource, LinkAct, Ruled, RulingEffect};

use super::chat_post::length;
use crate::http::Problem;
use crate::page::When;

/// An act.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    source = "{{ at|safe }}: {{ who }} {{ what }}{% if let Some(until) = until %} until {{ until|safe }}{% endif %}",
    ext = "html"
)]
pub(super) struct Activity {
    pub(super) at: When,
    /// The author.
    pub(super) who: String,
    /// The act.
    pub(super) what: String,
    /// The new deadline, if the act gave time.
    pub(super) until: Option<When>,
}

/// The names behind the pseudonyms; only for umpires.
#[derive(Debug, Default)]
pub(super) struct Umpires(HashMap<String, String>);

impl Umpires {
    /// Every known umpire.
    pub(super) async fn all(app: &App) -> Result<Self, Problem> {
        let all = account::all(app.pool()).await.map_err(|error| Problem::broken(&error))?;
        Ok(Self(all.into_iter().map(|umpire| (format!("umpire:{}", umpire.id), umpire.name)).collect()))
    }

    pub(super) fn name(&self, by: &Author) -> String {
        match by {
            Author::Server | Author::Host => "Matchbook".to_owned(),
            Author::P1 => "Player 1".to_owned(),
            Author::P2 => "Player 2".to_owned(),
            Author::Umpire(_) => {
                self.0.get(&by.to_string()).cloned().unwrap_or_else(|| "an umpire not known here".to_owned())
            }
        }
    }
}

/// The acts from an entry on, oldest first.
pub(super) async fn since(
    app: &App,
    umpires: &Umpires,
    match_id: MatchId,
    from: Seq,
) -> Result<Vec<Activity>, Problem> {
    let entries = app.matches.entries_since(match_id, from).await?;
    let now = app.system().now();
    Ok(entries.iter().filter_map(|entry| activity(umpires, entry, now)).collect())
}

fn activity(umpires: &Umpires, entry: &Entry, now: Moment) -> Option<Activity> {
    let when = |at| When::second_on(at, now);
    let mut until = None;
    let what = match Body::read(entry).ok()? {
        Body::Opened(_) => "opened the match".to_owned(),
        Body::Resolved(resolved) => format!("recorded {}", resolved.dmn),
        Body::Drawn(drawn) => match (drawn.dmn.split_once(" ?"), drawn.seals.len()) {
            (Some((line, _)), sealed) => {
                let did = if drawn.source == DrawSource::Host { "drew" } else { "entered" };
                format!("{did} {line}, {sealed} values sealed")
            }
            (None, _) if drawn.source == DrawSource::Host => format!("drew {}", drawn.dmn),
            (None, _) => format!("entered {}", drawn.dmn),
        },
        Body::NamedRound(named) => format!("named round {} of the beacon for the next draws", named.round),
        Body::SignedRound(_) => "entered the beacon’s signature for the next draws".to_owned(),
        Body::HostShare(_) => "sealed its share of the draws".to_owned(),
        Body::ShareList(_) => "listed the shares of the draws".to_owned(),
        Body::ShareOpenings(_) => "opened the players’ shares".to_owned(),
        Body::FixedSeed(seed) if seed.openings.is_empty() => "fixed the draws".to_owned(),
        Body::FixedSeed(_) => "opened the players’ shares, and fixed the draws".to_owned(),
        Body::KeyBatch(_) => "fixed further draws".to_owned(),
        Body::Paused(paused) => format!("paused the clock of {}", paused.decision),
        Body::Resumed(resumed) => {
            until = Some(when(resumed.deadline));
            format!("let the clock of {} run", resumed.decision)
        }
        Body::Extended(extended) => {
            until = Some(when(extended.deadline));
            let given = length(extended.seconds.into());
            match extended.bank {
                Some(bank) => {
                    format!("let an extension of {given} begin for {}, with {} left,", bank.seat.0, bank.left)
                }
                None => format!("gave {given} for {},", extended.decision),
            }
        }
        Body::Ruled(ruled) => ruling(&ruled),
        Body::Handed(handed) => format!("made it the match of {}", umpires.name(&Author::Umpire(handed.to))),
        Body::Noted(_) => "made a remark".to_owned(),
        Body::Objected(objected) => format!("objected to step {}: this is not what I sent", objected.step),
        Body::Struck(struck) if struck.steps.is_empty() => format!("struck everything from step {} on", struck.from),
        Body::Struck(struck) => format!("corrected step {}", struck.from),
        Body::Ended(_) => "ended the match".to_owned(),
        Body::Imported(_) => "entered its steps".to_owned(),
        Body::Key(_) => "registered a key, which signs for the seat from here on".to_owned(),
        Body::Linked(linked) => match linked.act {
            LinkAct::Made => format!("made link {} to seat {}", linked.link + 1, linked.seat.0.word()),
            LinkAct::Followed => format!("began to use link {}", linked.link + 1),
            LinkAct::Refused => format!("refused a second key for {}, from link {}", linked.seat.0, linked.link + 1),
        },
        Body::Asked(_) | Body::Sealed(_) | Body::Unsealed(_) => return None,
        Body::Registered(_) | Body::Rotated(_) | Body::Revoked(_) => return None,
    };
    Some(Activity { at: when(entry.at), who: umpires.name(&entry.by), what, until })
}

fn ruling(ruled: &Ruled) -> String {
    if ruled.result.is_some() {
        return "ruled on the result".to_owned();
    }
    match &ruled.does {
        None => "made a ruling".to_owned(),
        Some(RulingEffect::Warns(seat)) => format!("warned {}", seat.0.word()),
        Some(RulingEffect::Admits(admitted)) => format!("admitted the late answer of {}", admitted.seat.0.word()),
        Some(RulingEffect::Answers(_)) => "ruled on an objection".to_owned(),
        Some(RulingEffect::Shares) => "ruled that the shares of the draws are gathered anew".to_owned(),
        Some(RulingEffect::WithoutRound) => "ruled that draws are made without the beacon’s round".to_owned(),
        Some(RulingEffect::Records) => "let the match go on as recorded: the umpire types from there on".to_owned(),
    }
}
