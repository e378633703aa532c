//! Opening a match.

use std::collections::BTreeMap;

use engine::{BySeat, Ruleset, Setup};
use ledger::{NetworkHash, Seq};

use super::share::sealed_share;
use super::{Clocks, DECLARED_RULES_VERSION, NewEntries, Pace, RULES_VERSION, WriteContext, WriteError};
use crate::body::{Body, ClockStart, DeclaredGame, DrawSource, Mode, Opened, SeatWord, is_no_day};
use crate::wait::WAIT_SECONDS;

/// A match to be opened.
#[derive(Clone, Debug, Default)]
pub struct NewMatch {
    /// Ruleset, DMO, items.
    pub setup: Setup,
    /// The players' names.
    pub names: BySeat<String>,
    /// The tournament.
    pub event: Option<String>,
    /// The date of play, such as `2026-11-20`.
    pub date: Option<String>,
    /// The host's Ed25519 public key, base64.
    pub host_key: String,
    /// The way in which it is run.
    pub pace: Pace,
    /// The source of the draws, in a game with draws; none if the umpire types in draws from elsewhere.
    pub draws: Option<DrawSource>,
    /// In a live match, the umpire may read what the seats send before a decision closes.
    pub looks: bool,
    /// The limit, in seconds, of waiting for the log's witnesses before anything is opened; none if it does not wait.
    pub wait: Option<u32>,
    /// The network of a beacon that the host's draws wait for; none if they wait for none.
    pub beacon: Option<NetworkHash>,
}

/// Opens a match, and asks its first question.
pub fn open(context: &mut WriteContext<'_>, new: &NewMatch) -> Result<NewEntries, WriteError> {
    let duel = engine::Duel::open(&new.setup)?;
    let mut written = NewEntries::default();
    let opened = opened(context, new, duel.ruleset(), new.pace.mode(), &[], &mut written)?;
    let host_draws = opened.draws == Some(DrawSource::Host);
    written.drafts.push(context.draft(&Body::Opened(opened)));
    if host_draws {
        // The seats are asked once a signed checkpoint covers this.
        sealed_share(context, &mut written, Seq(1), 0, Vec::new())?;
    } else {
        written.drafts.extend(context.asks(new.pace.awaited(), &duel, None, &[]));
    }
    Ok(written)
}

pub(super) fn opened(
    context: &mut WriteContext<'_>,
    new: &NewMatch,
    ruleset: &dyn Ruleset,
    mode: Mode,
    tags: &[String],
    written: &mut NewEntries,
) -> Result<Opened, WriteError> {
    let first = Seq(0);
    let options: BTreeMap<String, String> = ruleset
        .options_with(&new.setup.options)?
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    for name in [&new.names.p1, &new.names.p2] {
        if name.trim().is_empty() {
            return Err(WriteError::Missing("both players need a name"));
        }
    }
    if new.date.as_deref().is_some_and(is_no_day) {
        return Err(WriteError::Missing("no calendar has this date: write year, month and day, such as 2026-11-20"));
    }
    if new.wait.is_some_and(|seconds| !WAIT_SECONDS.contains(&seconds)) {
        return Err(WriteError::NotNow("a match waits for witnesses at least 1 second and at most 600"));
    }
    let names = BySeat {
        p1: context.word(written, first, "p1", &new.names.p1)?,
        p2: context.word(written, first, "p2", &new.names.p2)?,
    };
    let event = new.event.as_deref().filter(|event| !event.trim().is_empty());
    let event = event.map(|event| context.word(written, first, "event", event)).transpose()?;
    let tags = tags.iter().enumerate().map(|(n, tag)| context.word(written, first, &format!("tag-{n}"), tag));
    let tags = tags.collect::<Result<_, _>>()?;
    let words = new.setup.declared.as_ref().map(|game| (game.structure(), game.words()));
    let game = words.map(|(structure, words)| {
        let words = words.iter().enumerate().map(|(n, line)| context.quote(written, first, &format!("game-{n}"), line));
        Ok::<_, WriteError>(DeclaredGame { structure, words: words.collect::<Result<_, _>>()? })
    });
    let game = game.transpose()?;
    let draws = new.draws.filter(|draws| *draws == DrawSource::Host && !ruleset.draws().is_empty());
    Ok(Opened {
        mode,
        ruleset: new.setup.ruleset.clone(),
        options,
        rules: if game.is_some() { DECLARED_RULES_VERSION } else { RULES_VERSION },
        program: env!("CARGO_PKG_VERSION").to_owned(),
        names: names.into(),
        event,
        date: new.date.clone().filter(|date| !date.trim().is_empty()),
        dmo: new.setup.dmo.map(SeatWord),
        items: new.setup.items.clone().into(),
        tags,
        host_key: new.host_key.clone(),
        clocks: match new.pace {
            Pace::Live { clocks, .. } if mode == Mode::Live => Some(clocks != Clocks::Off),
            Pace::Live { .. } | Pace::Recorded => None,
        },
        starts: match new.pace {
            Pace::Live { clocks: Clocks::Posted, .. } if mode == Mode::Live => Some(ClockStart::Posted),
            Pace::Live { .. } | Pace::Recorded => None,
        },
        // Typed draws are not mentioned, and a game without chance has no draws.
        looks: (mode == Mode::Live).then_some(new.looks),
        wait: new.wait.filter(|_| mode != Mode::Imported),
        draws,
        early: mode == Mode::Live && new.pace.closes_early(),
        game,
        beacon: new.beacon.filter(|_| draws.is_some()),
    })
}
