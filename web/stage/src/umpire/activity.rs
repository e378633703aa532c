//! The acts in a match with their author and time, in plain words.

use std::collections::HashMap;

use app::App;
use app::account::{self, AccountEvent};
use app::views::{length_words, spoken_line};
use askama::Template;
use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, Entry, MatchId, Moment, Seq, UmpireId};
use record::body::{Body, DrawSource, LinkAct, Linked, Ruled, RulingEffect};

use record::History;

use page::When;
use web_http::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    source = "{{ at|safe }}: {{ who }} {{ what }}{% if let Some(until) = until %} until {{ until|safe }}{% endif %}",
    ext = "html"
)]
pub(super) struct Activity {
    pub(super) at: When,
    pub(super) who: String,
    pub(super) what: String,
    pub(super) until: Option<When>,
}

#[derive(Debug, Default)]
pub(super) struct Umpires(HashMap<String, String>);

impl Umpires {
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

pub(super) async fn since(
    app: &App,
    umpires: &Umpires,
    match_id: MatchId,
    from: Seq,
) -> Result<Vec<Activity>, Problem> {
    let entries = app.matches.entries_since(match_id, from).await?;
    let Some(begun) = entries.first().map(|entry| entry.at.to_utc()) else { return Ok(Vec::new()) };
    let history = app.matches.history(match_id).await?;
    let (now, namings) = (app.system().now(), app.umpires.namings(match_id).await?);
    let acts = entries.iter().filter_map(|entry| {
        let named_before = namings.iter().any(|naming| naming.at <= entry.at.to_utc());
        Some((entry.at.to_utc(), activity(umpires, &history, entry, now, named_before)?))
    });
    let mut acts: Vec<_> = acts.collect();
    let since = namings.into_iter().filter(|naming| naming.at >= begun);
    acts.extend(since.filter_map(|naming| Some((naming.at, named(naming, now)?))));
    acts.sort_by_key(|(at, _)| *at);
    Ok(acts.into_iter().map(|(_, act)| act).collect())
}

fn named(event: AccountEvent, now: Moment) -> Option<Activity> {
    let at = When::second_on(Moment::try_from(event.at).ok()?, now);
    let whom = event.umpire.unwrap_or_default();
    let (duty, act) = event.kind.split_once('-')?;
    let what = if act == "named" { format!("named {whom} as {duty}") } else { format!("dismissed {whom} as {duty}") };
    Some(Activity { at, who: event.by_name.unwrap_or_default(), what, until: None })
}

fn activity(umpires: &Umpires, history: &History, entry: &Entry, now: Moment, named_before: bool) -> Option<Activity> {
    let when = |at| When::second_on(at, now);
    let about = |decision: &DecisionId| history.decision_words(decision).to_lowercase();
    let name = |seat: Seat| history.name(seat);
    let mut until = None;
    let what = match Body::read(entry).ok()? {
        Body::Opened(_) => "opened the match".to_owned(),
        Body::Resolved(resolved) => recorded(history, &resolved.dmn),
        Body::Announced(_) => "said what became of the answers".to_owned(),
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
        Body::Paused(paused) => format!("paused the clock of {}", about(&paused.decision)),
        Body::Resumed(resumed) => {
            until = Some(when(resumed.deadline));
            format!("started the clock of {}", about(&resumed.decision))
        }
        Body::Extended(extended) => {
            until = Some(when(extended.deadline));
            let given = length_words(extended.seconds.into());
            match extended.bank {
                Some(bank) => {
                    format!("used an extension of {given} for {}, with {} left,", name(bank.seat.0), bank.left)
                }
                None => format!("added {given} to the clock of {},", about(&extended.decision)),
            }
        }
        Body::Ruled(ruled) => ruling(history, &ruled),
        Body::Handed(handed) => change_of_umpire(umpires, &entry.by, handed.to, named_before),
        Body::Noted(_) => "made a remark".to_owned(),
        Body::Objected(objected) => format!("objected to step {}: this is not what I sent", objected.step),
        Body::Struck(struck) if struck.steps.is_empty() => format!("struck everything from step {} on", struck.from),
        Body::Struck(struck) => format!("corrected step {}", struck.from),
        Body::Ended(_) => "ended the match".to_owned(),
        Body::Imported(_) => "entered its steps".to_owned(),
        Body::Key(_) => "registered a key; it signs this player’s moves from now on".to_owned(),
        Body::Linked(linked) => link(history, &linked),
        Body::Asked(_) | Body::Sealed(_) | Body::Unsealed(_) => return None,
        Body::Registered(_) | Body::Rotated(_) | Body::Revoked(_) => return None,
    };
    let who = match entry.by {
        Author::P1 => name(Seat::P1).to_owned(),
        Author::P2 => name(Seat::P2).to_owned(),
        _ => umpires.name(&entry.by),
    };
    Some(Activity { at: when(entry.at), who, what, until })
}

fn change_of_umpire(umpires: &Umpires, by: &Author, to: UmpireId, named_before: bool) -> String {
    let to = Author::Umpire(to);
    let ends = if named_before { ", which ended its helpers and commentators" } else { "" };
    if *by == to {
        format!("took the match over{ends}")
    } else {
        format!("handed the match to {}{ends}", umpires.name(&to))
    }
}

fn recorded(history: &History, line: &str) -> String {
    format!("recorded {}", recorded_words(line, history.both_names(), |line| spoken_line(history, line)))
}

fn recorded_words(line: &str, names: BySeat<&str>, spoken: impl Fn(&str) -> Option<String>) -> String {
    let said = |line: &str| spoken(line).unwrap_or_else(|| spelled_out(line));
    let (before, sent) = line.split_once(": ").unwrap_or_default();
    if let Ok(seat) = before.parse::<Seat>() {
        return format!("the move of {}: {}", names[seat], said(sent));
    }
    let numbered = line.split_once(". ").filter(|(round, _)| round.chars().all(|letter| letter.is_ascii_digit()));
    let Some((round, moves)) = numbered else { return line.to_owned() };
    format!("round {round}: {}", said(moves))
}

/// A line of the notation without its sign for no move.
pub(super) fn spelled_out(line: &str) -> String {
    let words = line.split(' ').map(|word| if word == "-" { "no move" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

fn link(history: &History, linked: &Linked) -> String {
    let (number, name) = (linked.link.saturating_add(1), history.name(linked.seat.0));
    match linked.act {
        LinkAct::Made => format!("made private link {number} for {name}"),
        LinkAct::Followed => format!("opened private link {number}"),
        LinkAct::Refused => format!("refused a second key for {name}, from private link {number}"),
    }
}

fn ruling(history: &History, ruled: &Ruled) -> String {
    if ruled.result.is_some() {
        return "ruled on the result".to_owned();
    }
    match &ruled.does {
        None => "made a ruling".to_owned(),
        Some(RulingEffect::Warns(seat)) => format!("warned {}", history.name(seat.0)),
        Some(RulingEffect::Admits(admitted)) => {
            format!("admitted the late move of {}", history.name(admitted.seat.0))
        }
        Some(RulingEffect::Answers(_)) => "ruled on an objection".to_owned(),
        Some(RulingEffect::Shares) => "asked for new shares of the draws".to_owned(),
        Some(RulingEffect::WithoutRound) => "let the draws be made without the beacon’s round".to_owned(),
        Some(RulingEffect::Records) => {
            "changed to a recorded match: the umpire types both moves from then on".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_recorded_is_told_as_its_round() {
        for (line, words) in [
            ("1. - / grow", "round 1: no move / grow"),
            ("12. score block:grow / -", "round 12: score block:grow / no move"),
            ("p2: take B5", "the move of Bo: take B5"),
        ] {
            assert_eq!(recorded_words(line, BySeat { p1: "Ada", p2: "Bo" }, |_| None), words);
        }
    }
}
