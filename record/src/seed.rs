//! The basis of the host's draws, and the host's next step for them.

use std::time::Duration;

use engine::{Ask, BySeat, Duel, Form, Party, Readback, Refusal, Seat, Stream, To};
use ledger::{DecisionId, DrawIndex, DrawKey, DrawStream, Field, Hash, Moment, Seed, Seq, Share};

use crate::body::DrawSource;
use crate::clock::later;
use crate::history::History;
use crate::private_openings::Secrets;
use crate::share::{self, OPENING_SECONDS, SHARE};

/// A seed, complete or not.
#[derive(Clone, Debug)]
pub struct SeedRecord {
    /// The entry in which the host sealed its share.
    pub share: Seq,
    /// Its leaf hash, the salt of the seed.
    pub salt: Hash,
    /// The decision that asked the seats last.
    pub asked: Option<DecisionId>,
    /// The list of the shares that count.
    pub list: Option<ShareListRecord>,
    /// The openings of the listed shares.
    pub opened: Option<ShareOpeningsRecord>,
    /// The seats' shares and the keys' roots, once they are fixed.
    pub fixed: Option<FixedSeedRecord>,
    /// The ruling by which it was begun; none for the first.
    pub begun: Option<Seq>,
    /// The ruling that gave it up for another, while the host's share was still sealed.
    pub given_up: Option<Seq>,
}

/// A list of the shares that count.
#[derive(Clone, Debug)]
pub struct ShareListRecord {
    /// The entry.
    pub entry: Seq,
    /// Its leaf hash, which a player signs with its opening.
    pub leaf: Hash,
    /// Its time, from which the openings have theirs.
    pub at: Moment,
    /// The `sealed` entry of each seat.
    pub sealed: BySeat<Option<Seq>>,
}

/// A list of the openings of listed shares.
#[derive(Clone, Debug)]
pub struct ShareOpeningsRecord {
    /// The entry.
    pub entry: Seq,
    /// The shares that it opens.
    pub given: BySeat<Option<Share>>,
    /// The time at which each seat's opening came, if it sent one.
    pub came: BySeat<Option<Moment>>,
    /// True for a seat whose signature of its opening holds.
    pub signed: BySeat<bool>,
}

/// The fixed part of a seed.
#[derive(Clone, Debug)]
pub struct FixedSeedRecord {
    /// The entry.
    pub entry: Seq,
    /// The shares of the seats; none where a seat gave none.
    pub given: BySeat<Option<Share>>,
    /// The roots of the keys, 256 keys each.
    pub roots: Vec<Hash>,
}

/// A draw of the host.
#[derive(Clone, Debug)]
pub struct DrawRecord {
    /// The entry.
    pub entry: Seq,
    /// The index of its seed.
    pub seed: usize,
    /// Its number.
    pub index: DrawIndex,
    /// The draw and what it was drawn from, in a game in which that is no matter of its number; none while a step before it
    /// cannot be replayed.
    pub basis: Option<String>,
    /// A part of it stays sealed, so its key opens at the end.
    pub hidden: bool,
    /// Its key, once it is public and checked against its root; without the round of a beacon.
    pub key: Option<DrawKey>,
    /// The cards were computed again from the key.
    pub checked: bool,
    /// The first entry between the naming of its round and the draw that changed what it is drawn from.
    pub disturbed: Option<Seq>,
}

/// The host's automatic acts for its draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAct {
    /// Seal its share.
    Seal,
    /// Ask the seats for theirs, once a signed checkpoint covers its own.
    Ask,
    /// List the openings of the shares, once a signed checkpoint covers the list of them and every opening is there or
    /// its time is up.
    ListOpenings,
    /// Fix the seed, once a signed checkpoint covers the list of the openings.
    Fix,
    /// Repeat a draw that was struck.
    DrawAgain,
    /// Make a draw whose round of the beacon is there, or that a ruling makes without it.
    DrawByRound,
}

/// A draw that the rules require of the host, with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueDraw {
    /// The question.
    pub ask: Ask,
    /// The number of draws for its purpose that count before it.
    pub ordinal: u32,
    /// Its number.
    pub index: DrawIndex,
}

pub(crate) struct Numbers(pub(crate) DrawStream);

impl Stream for Numbers {
    fn word(&mut self) -> u64 {
        // A key's numbers never end.
        self.0.next().unwrap_or_default()
    }
}

impl History {
    /// True if the host draws in this match; otherwise the umpire types in draws from elsewhere.
    #[must_use]
    pub fn host_draws(&self) -> bool {
        self.opened.draws == Some(DrawSource::Host) && !self.ruleset().draws().is_empty()
    }

    /// The number of the draw for a purpose after `ordinal` others that count; none if the host does not draw for it.
    #[must_use]
    pub fn draw_index(&self, purpose: &str, ordinal: u32) -> Option<DrawIndex> {
        let purpose = self.ruleset().draws().iter().find(|known| self.host_draws() && known.word == purpose);
        purpose.and_then(|purpose| purpose.number(ordinal)).map(DrawIndex)
    }

    /// True if a step is a draw of the host's own, which nobody types in or corrects.
    #[must_use]
    pub fn is_host_drawn(&self, step: &crate::StepRecord) -> bool {
        step.public.starts_with("host:") && self.draw_index(&step.what, 0).is_some()
    }

    /// The draw that the host has to make now.
    #[must_use]
    pub fn due_draw(&self) -> Option<DueDraw> {
        let ask = self.duel().asks().into_iter().find(|ask| ask.to == To::Host && !self.is_ended())?;
        let ordinal = self.draws_for(&ask.what);
        let index = self.due_indexes(&ask.what, ordinal).into_iter().next()?;
        Some(DueDraw { ask, ordinal, index })
    }

    /// The numbers of the host's draws that count.
    pub(crate) fn drawn_indexes(&self) -> Vec<DrawIndex> {
        self.drawn.values().copied().collect()
    }

    /// The draws that were struck and did not come again.
    pub(crate) fn struck_draws(&self) -> impl Iterator<Item = &DrawRecord> {
        let drawn = self.drawn_indexes();
        self.draws.iter().filter(move |draw| !drawn.contains(&draw.index))
    }

    /// The numbers that the due draw for a purpose may have: one, where everything before it is known.
    pub(crate) fn due_indexes(&self, purpose: &str, ordinal: u32) -> Vec<DrawIndex> {
        let drawn = self.drawn_indexes();
        let due = self.next_index(purpose, ordinal, &drawn, self.duel()).into_iter();
        let is_known = self.closed_at.is_none() && self.struck_draws().all(|draw| draw.basis.is_some());
        if is_known || self.opened.game.is_none() {
            return due.collect();
        }
        due.chain(self.struck_draws().map(|draw| draw.index)).chain([self.fresh_index(&drawn)]).collect()
    }

    /// The number of the draw that is due in a state, behind the draws with these numbers. In a declared game a struck draw
    /// comes again where the same is drawn from the same; any other has a number that nothing was drawn by.
    pub(crate) fn next_index(
        &self,
        purpose: &str,
        ordinal: u32,
        drawn: &[DrawIndex],
        duel: &Duel,
    ) -> Option<DrawIndex> {
        let number = self.draw_index(purpose, ordinal)?;
        if self.opened.game.is_none() {
            return Some(number);
        }
        let basis = duel.draw_basis();
        let again = self.draws.iter().filter(|draw| draw.basis == basis && !drawn.contains(&draw.index));
        again.map(|draw| draw.index).min().or_else(|| Some(self.fresh_index(drawn)))
    }

    fn fresh_index(&self, drawn: &[DrawIndex]) -> DrawIndex {
        let last = self.draws.iter().map(|draw| draw.index).chain(drawn.iter().copied()).max();
        last.map_or(DrawIndex(0), |last| DrawIndex(last.0.saturating_add(1)))
    }

    /// The seed of a draw: the one under which it was made before, or else the last, while that is secret.
    /// Nothing new may follow from a share that is public, so a match that goes on after its end gathers new shares.
    #[must_use]
    pub(crate) fn seed_of(&self, index: DrawIndex) -> Option<usize> {
        let before = self.draws.iter().find(|draw| draw.index == index).map(|draw| draw.seed);
        before.or_else(|| {
            let last = self.seeds.len().checked_sub(1)?;
            let seed = self.seeds.get(last)?;
            (seed.fixed.is_some() && seed.given_up.is_none() && !self.is_share_open(seed)).then_some(last)
        })
    }

    /// True if the host's share of a seed is public.
    #[must_use]
    pub fn is_share_open(&self, seed: &SeedRecord) -> bool {
        field().is_some_and(|field| self.is_open(seed.share, &field))
    }

    /// The seed whose shares are being gathered.
    #[must_use]
    pub fn gathering(&self) -> Option<&SeedRecord> {
        let last = self.seeds.last().filter(|seed| seed.fixed.is_none() && seed.given_up.is_none());
        last.filter(|seed| !self.is_share_open(seed))
    }

    /// The list of shares whose openings are awaited.
    #[must_use]
    pub fn awaited_openings(&self) -> Option<&ShareListRecord> {
        let seed = self.gathering().filter(|seed| seed.opened.is_none());
        seed.filter(|_| self.wants_seed()).and_then(|seed| seed.list.as_ref())
    }

    /// The seats whose listed share was not opened in the last start, and the entry that says so.
    #[must_use]
    pub fn unopened_shares(&self) -> Option<(Seq, Vec<Seat>)> {
        let seed = self.seeds.last()?;
        let (list, opened) = seed.list.as_ref().zip(seed.opened.as_ref())?;
        let is_unopened = |seat: &Seat| list.sealed[*seat].is_some() && opened.given[*seat].is_none();
        let unopened: Vec<Seat> = Seat::BOTH.into_iter().filter(is_unopened).collect();
        (!unopened.is_empty()).then_some((opened.entry, unopened))
    }

    #[must_use]
    pub(crate) fn may_open_last_share(&self) -> bool {
        let Some((at, last)) = self.seeds.len().checked_sub(1).and_then(|at| Some((at, self.seeds.get(at)?))) else {
            return false;
        };
        let hides = self.draws.iter().any(|draw| draw.seed == at && draw.hidden && draw.key.is_none());
        last.fixed.is_none() || self.is_share_open(last) || !hides
    }

    /// True if shares can be gathered anew by a ruling. What was drawn keeps its key; the rest follows from the new ones.
    #[must_use]
    pub fn may_begin_shares(&self) -> bool {
        let runs = !self.is_ended() && !self.outcome().is_over();
        let first = self.seeds.is_empty() || self.new_shares.is_some();
        self.host_draws() && runs && !first && self.may_open_last_share()
    }

    /// True if nothing is drawn until an umpire rules that shares are gathered anew.
    #[must_use]
    pub fn needs_new_shares(&self) -> bool {
        self.may_begin_shares() && self.gathering().is_none() && self.wants_seed()
    }

    fn wants_seed(&self) -> bool {
        self.host_draws()
            && !self.is_ended()
            && !self.outcome().is_over()
            && (self.seeds.iter().all(|seed| seed.fixed.is_none())
                || self.new_shares.is_some()
                || self.gathering().is_some()
                || self.due_draw().is_some_and(|due| self.seed_of(due.index).is_none()))
    }

    /// The host's next automatic act for its draws; none while a step cannot be replayed, because the state is not known.
    #[must_use]
    pub fn host_act(&self) -> Option<HostAct> {
        if self.closed_at.is_some() {
            return None;
        }
        if self.wants_seed() {
            return match self.gathering() {
                None if self.needs_new_shares() => None,
                None => Some(HostAct::Seal),
                Some(_) if self.awaited_openings().is_some() => Some(HostAct::ListOpenings),
                Some(seed) if seed.list.is_some() => Some(HostAct::Fix),
                Some(_) if self.asks_share() => None,
                Some(_) => Some(HostAct::Ask),
            };
        }
        let due = self.due_draw().filter(|due| !due.ask.optional)?;
        let again = self.draws.iter().any(|draw| draw.index == due.index);
        match again {
            true => Some(HostAct::DrawAgain),
            false => self.has_round().then_some(HostAct::DrawByRound),
        }
    }

    /// True in a match of the host's draws before its first shares are fixed.
    pub(crate) fn awaits_first_seed(&self) -> bool {
        self.host_draws() && self.seeds.iter().all(|seed| seed.fixed.is_none())
    }

    fn asks_share(&self) -> bool {
        self.open.iter().any(|open| open.asked.what == SHARE)
    }

    /// The open questions: those of the game, and the one for shares. No draw is asked for while shares are gathered,
    /// and before the first shares nothing is asked at all.
    #[must_use]
    pub fn asks(&self) -> Vec<Ask> {
        let mut asks = self.duel().asks();
        if self.wants_seed() {
            asks.retain(|ask| ask.to != To::Host && !self.awaits_first_seed());
            asks.extend(self.asks_share().then(share::ask));
        }
        asks
    }

    /// The form in which a question is offered to this party.
    #[must_use]
    pub fn form(&self, party: impl Into<Party>, what: &str) -> Option<Form> {
        if what == SHARE { Some(share::form()) } else { self.duel().form(party, what) }
    }

    /// Reads an answer to a question.
    pub fn read(&self, party: impl Into<Party>, what: &str, text: &str) -> Result<Readback, Refusal> {
        if what == SHARE { share::read(text) } else { self.duel().read(party, what, text) }
    }

    pub(crate) fn seed(&self, seed: &SeedRecord, secrets: &Secrets) -> Option<Seed> {
        let fixed = seed.fixed.as_ref()?;
        let host = secrets.get(&(seed.share, field()?))?;
        let host = Share::from_hex(&host.value).ok()?;
        Some(fixed.seed(&seed.salt, &host))
    }
}

impl ShareListRecord {
    /// The last moment at which an opening of one of its shares is in time.
    #[must_use]
    pub fn deadline(&self) -> Moment {
        later(self.at, Duration::from_secs(OPENING_SECONDS.into()))
    }
}

impl FixedSeedRecord {
    /// The seed that these shares make with the host's.
    #[must_use]
    pub fn seed(&self, salt: &Hash, host: &Share) -> Seed {
        let given = self.given.as_ref().map(|given| given.clone().unwrap_or(Share::NONE));
        Seed::new(salt, host, &given.p1, &given.p2)
    }
}

pub(crate) fn field() -> Option<Field> {
    SHARE.parse().ok()
}
