//! Writes the entries for an umpire's acts. Everything is decided here and performed elsewhere: time, entropy and
//! secrets are parameters, drafts are results.

mod announce;
mod beacon_round;
mod clock;
mod draw;
mod end;
mod import;
mod key;
mod link;
mod objection;
mod open;
mod pace;
mod player;
mod resolve;
mod rule;
mod seal;
mod share;
mod strike;

use engine::{Ask, Duel, Party, Refusal, Seat, SetupError, To, Word};
use ledger::{
    Author, Commitment, DecisionId, Draft, Field, Hash, MatchId, Moment, Origin, SealError, SealKey, SealMessage, Seq,
};

use crate::body::{Asked, Body, Closing, Opening, PartyWord, SeatWord};
use crate::decision::OpenDecision;
use crate::history::History;
use crate::player_chain::PlayerFault;
use crate::private_openings::{Secret, Secrets};
use crate::text::{Text, TextPlace, one_line};
use crate::vouching::VouchFault;

pub use announce::announce;
pub use beacon_round::{go_on_without_round, name_round, sign_round};
pub use clock::{extend_clock, make_up, pause_clocks, run_clocks, spend_extension};
pub use draw::{draw, draw_by_key};
pub use end::end;
pub use import::{Import, import};
pub use key::{NO_KEYS, NewKey, WaitingKey, WaitingKeys, register};
pub use link::link;
pub use objection::{OBJECTIONS_MAX, answer, object};
pub use open::{NewMatch, open};
pub use pace::{Clocks, Pace};
pub use player::player;
pub use resolve::{Cover, resolve};
pub use rule::{admit, begin_shares, go_on_recorded, hand, note, rule, warn};
pub use seal::{PreparedSubmission, Seal, check_answers, prepare, receive, receive_kept, receive_opening, seal};
pub use share::{ShareOpening, ask_shares, host_share, list_openings, list_shares, seed};
pub use strike::{Amendment, Plan, StepChange, plan_correction, plan_strike, strike};

/// The version of the rules of this program. A new option does not change it; a changed rule raises it.
pub const RULES_VERSION: u32 = 2;
/// That of a match whose umpire declared its game.
pub const DECLARED_RULES_VERSION: u32 = 3;

/// The context of a write: the match, the author, the time, and fresh keys.
pub struct WriteContext<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The match.
    pub match_id: MatchId,
    /// The author.
    pub by: Author,
    /// The time.
    pub at: Moment,
    /// The keys that wait for whatever takes a question away or shows an answer.
    pub waiting: &'a WaitingKeys,
    /// 32 fresh random bytes a call.
    pub entropy: &'a mut dyn FnMut() -> [u8; 32],
}

/// Entries that are appended together, and their data outside the record.
#[derive(Debug, Default)]
pub struct NewEntries {
    /// The entries, in order.
    pub drafts: Vec<Draft>,
    /// The texts of their commitments; to be stored before the entries are appended.
    pub texts: Vec<(Commitment, Text)>,
    /// Their new seals with the openings; to be stored before the entries are appended.
    pub secrets: Vec<(Commitment, Field, Secret)>,
    /// The decision of the new seals, if there are any; their openings are stored under it.
    pub kept_as: Option<DecisionId>,
}

/// The reason why nothing is written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The match cannot be opened with this setup.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A rule refuses it.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// A text or a value cannot be sealed.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The state of the match does not allow it.
    #[error("{0}")]
    NotNow(&'static str),
    /// It does not follow from the player's chain.
    #[error(transparent)]
    Player(#[from] PlayerFault),
    /// A vouching does not hold.
    #[error(transparent)]
    Vouch(#[from] VouchFault),
    /// A required text is missing.
    #[error("{0}")]
    Missing(&'static str),
}

impl WriteContext<'_> {
    fn key(&mut self) -> SealKey {
        SealKey::new((self.entropy)())
    }

    fn draft(&self, body: &Body) -> Draft {
        Draft { at: self.at, by: self.by.clone(), kind: body.kind(), body: body.write() }
    }

    fn word(&mut self, written: &mut NewEntries, seq: Seq, field: &str, text: &str) -> Result<Commitment, WriteError> {
        self.quote(written, seq, field, &one_line(text))
    }

    /// A text that the notation has read. It stays as it is written, white space included.
    fn quote(&mut self, written: &mut NewEntries, seq: Seq, field: &str, text: &str) -> Result<Commitment, WriteError> {
        let field: Field = field.parse().map_err(|_| WriteError::Missing("a text has a field"))?;
        let text = Text { key: self.key(), text: text.to_owned() };
        let place = TextPlace { origin: self.origin, match_id: self.match_id, seq };
        let commitment = place.commit(&field, &text)?;
        written.texts.push((commitment, text));
        Ok(commitment)
    }

    fn unasked(
        &mut self,
        written: &mut NewEntries,
        decision: &DecisionId,
        whose: Party,
        field: &Field,
        value: String,
    ) -> Result<Commitment, WriteError> {
        let key = self.key();
        let message = SealMessage {
            origin: self.origin,
            match_id: self.match_id,
            decision,
            seat: PartyWord(whose).sealer(),
            field,
            asked: Hash::ZERO,
            value: &value,
        };
        let commitment = message.seal(&key)?;
        written.secrets.push((commitment, field.clone(), Secret { key, value }));
        written.kept_as = Some(decision.clone());
        Ok(commitment)
    }

    /// The entries that ask the seats the questions of a state, except the decisions that stay open. Draws have no such
    /// entry. If the clock was set back, the entries take the time of the one before them, and so do their deadlines.
    fn asks(&self, pace: Pace, duel: &Duel, history: Option<&History>, open: &[&OpenDecision]) -> Vec<Draft> {
        self.asks_behind(pace, duel, history, open, |_| None)
    }

    /// The questions of a state that the match comes back to. Before the first shares are fixed a game asks nothing.
    fn asks_again(&self, pace: Pace, duel: &Duel, history: &History) -> Vec<Draft> {
        if history.awaits_first_seed() { Vec::new() } else { self.asks(pace, duel, Some(history), &[]) }
    }

    fn asks_behind(
        &self,
        pace: Pace,
        duel: &Duel,
        history: Option<&History>,
        open: &[&OpenDecision],
        until: impl Fn(&Ask) -> Option<Moment>,
    ) -> Vec<Draft> {
        let asked = history.map_or(0, |history| history.decisions);
        let at = history.map_or(self.at, |history| self.at.max(history.last_at));
        let new = duel.asks().into_iter().filter(|ask| ask.to != To::Host);
        let new = new.filter(|ask| !open.iter().any(|open| open.puts(ask)));
        new.zip(asked + 1..)
            .map(|(ask, number)| self.draft(&Body::Asked(ask_body(&ask, number, pace.closes(&ask, at, until(&ask))))))
            .collect()
    }
}

fn ask_body(ask: &Ask, number: u32, (closes, deadline): (Closing, Option<Moment>)) -> Asked {
    let fields = ask.fields.iter().filter_map(|field| field.name.parse().ok()).collect();
    let seats = match ask.to {
        To::Both => vec![SeatWord(Seat::P1), SeatWord(Seat::P2)],
        To::One(seat) => vec![SeatWord(seat)],
        To::Host => Vec::new(),
    };
    let decision = decision_id(number);
    Asked { decision, what: ask.what.to_string(), seats, fields, clock: ask.clock_seconds, closes, deadline }
}

fn decision_id(number: u32) -> DecisionId {
    match format!("d{number}").parse() {
        Ok(id) => id,
        Err(_) => decision_id(0),
    }
}

fn still_open<'h>(history: &'h History, answered: (&str, To), after: &Duel) -> Vec<&'h OpenDecision> {
    let asks = history.duel().asks();
    let is = |open: &OpenDecision| open.asked.what == answered.0 && open.to() == Some(answered.1);
    let others = history.open.iter().filter(|open| !is(open));
    others.filter(|open| History::stands(open, &asks, answered, after)).collect()
}

fn shown(history: &History, shows: &[(Party, Word)], secrets: &Secrets) -> Result<Vec<Opening>, WriteError> {
    let seals = shows.iter().filter_map(|(whose, field)| history.last_seal(*whose, field));
    let closed = seals.filter(|seal| !history.is_open(seal.entry, &seal.name));
    closed.map(|seal| opening(secrets, seal.entry, &seal.name)).collect()
}

fn opening(secrets: &Secrets, entry: Seq, name: &Field) -> Result<Opening, WriteError> {
    let secret = secrets.get(&(entry, name.clone()));
    let secret = secret.ok_or(WriteError::Missing("the opening of an earlier seal is not here"))?;
    Ok(secret.opening(entry, name.clone()))
}

/// Checks that every step could be replayed. What follows one that could not is not known: nothing is asked, played or
/// decided there before the umpire has struck back to it.
///
/// # Errors
/// A value of a step cannot be opened here.
pub fn check_replayed(history: &History) -> Result<(), WriteError> {
    match history.closed_at {
        None => Ok(()),
        Some(_) => Err(WriteError::NotNow(
            "a value of an earlier step cannot be opened any more: strike back to that step first",
        )),
    }
}

fn place(history: &History, n: usize) -> Seq {
    Seq(history.head.next.0.saturating_add(u32::try_from(n).unwrap_or(u32::MAX)))
}
