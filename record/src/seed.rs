//! What the host's draws rest on, and what the host has to do next for them.

use engine::{Ask, BySeat, Form, Party, Purpose, Reading, Refusal, Stream, To};
use ledger::{DecisionId, DrawIndex, DrawKey, DrawStream, Field, Hash, Seed, Seq, Share};

use crate::body::DrawSource;
use crate::history::History;
use crate::secret::Secrets;
use crate::share::{self, SHARE};

/// A seed in the making, or made.
#[derive(Clone, Debug)]
pub struct SeedRecord {
    /// The entry in which the host sealed its share.
    pub share: Seq,
    /// Its leaf hash, the salt of the seed.
    pub salt: Hash,
    /// The decision in which the seats were asked last.
    pub asked: Option<DecisionId>,
    /// The lists of the shares that count; the last one holds.
    pub lists: Vec<List>,
    /// The seats' shares and the keys' roots, once they stand fixed.
    pub made: Option<MadeSeed>,
}

/// A list of the shares that count.
#[derive(Clone, Debug)]
pub struct List {
    /// The entry.
    pub entry: Seq,
    /// The `sealed` entry of each seat.
    pub sealed: BySeat<Option<Seq>>,
}

/// What stands fixed of a seed.
#[derive(Clone, Debug)]
pub struct MadeSeed {
    /// The entry.
    pub entry: Seq,
    /// The shares of the seats; none where a seat gave none.
    pub given: BySeat<Option<Share>>,
    /// The roots of the keys, 256 keys each.
    pub roots: Vec<Hash>,
}

/// A draw of the host's.
#[derive(Clone, Debug)]
pub struct DrawRecord {
    /// The entry.
    pub entry: Seq,
    /// Which seed it is of.
    pub seed: usize,
    /// Its number.
    pub index: DrawIndex,
    /// Whether something of it stays sealed, so that its key opens at the end.
    pub hidden: bool,
    /// Its key, once it is public and stands under its root.
    pub key: Option<DrawKey>,
    /// Whether what was drawn was worked out again from the key.
    pub checked: bool,
}

/// What the host has to do for its draws, without anybody being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAct {
    /// Seal its share.
    Seal,
    /// Ask the seats for theirs, once a signed checkpoint covers its own.
    Ask,
    /// Open the seats' shares, once a signed checkpoint covers the list.
    Open,
    /// Make a draw again that was struck.
    DrawAgain,
}

/// A draw that the rules ask of the host, with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueDraw {
    /// The question.
    pub ask: Ask,
    /// How many draws for its purpose count before it.
    pub ordinal: u32,
    /// Its number.
    pub index: DrawIndex,
}

/// The numbers of a key, as the engine takes them.
pub(crate) struct Numbers(pub(crate) DrawStream);

impl Stream for Numbers {
    fn word(&mut self) -> u64 {
        // A key's numbers never end.
        self.0.next().unwrap_or_default()
    }
}

impl History {
    /// Whether the host draws in this match, rather than that the umpire types in what was drawn elsewhere.
    #[must_use]
    pub fn host_draws(&self) -> bool {
        self.opened.draws == Some(DrawSource::Host) && !self.purposes().is_empty()
    }

    fn purposes(&self) -> &'static [Purpose] {
        engine::ruleset(&self.setup.ruleset).map_or(&[], |ruleset| ruleset.draws())
    }

    /// The number of the draw for a purpose before which so many count; none where the host does not draw for it.
    #[must_use]
    pub fn draw_index(&self, purpose: &str, ordinal: u32) -> Option<DrawIndex> {
        let purpose = self.purposes().iter().find(|known| self.host_draws() && known.word == purpose);
        purpose.and_then(|purpose| purpose.number(ordinal)).map(DrawIndex)
    }

    /// Whether a step is a draw of the host's own, which nobody types in or corrects.
    #[must_use]
    pub fn is_host_drawn(&self, step: &crate::StepRecord) -> bool {
        step.public.starts_with("host:") && self.draw_index(&step.what, 0).is_some()
    }

    /// The draw that the host has to make now.
    #[must_use]
    pub fn due_draw(&self) -> Option<DueDraw> {
        let ask = self.duel().asks().into_iter().find(|ask| ask.to == To::Host && !self.is_ended())?;
        let ordinal = self.draws_for(ask.what);
        let index = self.draw_index(ask.what, ordinal)?;
        Some(DueDraw { ask, ordinal, index })
    }

    /// The seed that a draw is of: the one under which it was made before, or else the last, while that is secret.
    /// Nothing new may follow from a share that is public, so a match that goes on after its end gathers new shares.
    #[must_use]
    pub(crate) fn seed_of(&self, index: DrawIndex) -> Option<usize> {
        let before = self.draws.iter().find(|draw| draw.index == index).map(|draw| draw.seed);
        before.or_else(|| {
            let last = self.seeds.len().checked_sub(1)?;
            let seed = self.seeds.get(last)?;
            (seed.made.is_some() && !self.is_share_open(seed)).then_some(last)
        })
    }

    /// Whether the host's share of a seed is public.
    #[must_use]
    pub fn is_share_open(&self, seed: &SeedRecord) -> bool {
        field().is_some_and(|field| self.is_open(seed.share, &field))
    }

    /// The seed in the making.
    fn unmade(&self) -> Option<&SeedRecord> {
        self.seeds.last().filter(|seed| seed.made.is_none() && !self.is_share_open(seed))
    }

    /// Whether shares have to be gathered before the host can draw.
    fn wants_seed(&self) -> bool {
        self.host_draws()
            && !self.is_ended()
            && !self.outcome().is_over()
            && (self.seeds.iter().all(|seed| seed.made.is_none())
                || self.due_draw().is_some_and(|due| self.seed_of(due.index).is_none()))
    }

    /// What the host has to do now for its draws, without anybody being asked.
    #[must_use]
    pub fn host_act(&self) -> Option<HostAct> {
        if self.wants_seed() {
            return match self.unmade() {
                None => Some(HostAct::Seal),
                Some(seed) if !seed.lists.is_empty() => Some(HostAct::Open),
                Some(_) if self.asks_share() => None,
                Some(_) => Some(HostAct::Ask),
            };
        }
        let due = self.due_draw().filter(|due| !due.ask.optional)?;
        let again = self.draws.iter().any(|draw| draw.index == due.index);
        again.then_some(HostAct::DrawAgain)
    }

    fn asks_share(&self) -> bool {
        self.open.iter().any(|open| open.asked.what == SHARE)
    }

    /// The questions that stand: those of the game, and the one for shares. No draw is asked for while shares are
    /// gathered, and nothing at all before the first of them are.
    #[must_use]
    pub fn asks(&self) -> Vec<Ask> {
        let mut asks = self.duel().asks();
        if self.wants_seed() {
            let first = self.seeds.iter().all(|seed| seed.made.is_none());
            asks.retain(|ask| ask.to != To::Host && !first);
            asks.extend(self.asks_share().then(share::ask));
        }
        asks
    }

    /// How a question can be offered to whoever is asked.
    #[must_use]
    pub fn form(&self, party: impl Into<Party>, what: &str) -> Option<Form> {
        if what == SHARE { Some(share::form()) } else { self.duel().form(party, what) }
    }

    /// Reads an answer to a question.
    ///
    /// # Errors
    /// Why it is refused, with the byte offset in `text`.
    pub fn read(&self, party: impl Into<Party>, what: &str, text: &str) -> Result<Reading, Refusal> {
        if what == SHARE { share::read(text) } else { self.duel().read(party, what, text) }
    }

    /// The seed of this number, where the host's share is among these openings.
    pub(crate) fn seed(&self, seed: &SeedRecord, secrets: &Secrets) -> Option<Seed> {
        let made = seed.made.as_ref()?;
        let host = secrets.get(&(seed.share, field()?))?;
        let host = Share::from_hex(&host.value).ok()?;
        Some(made.seed(&seed.salt, &host))
    }
}

impl MadeSeed {
    /// The seed that these shares make with the host's.
    #[must_use]
    pub fn seed(&self, salt: &Hash, host: &Share) -> Seed {
        let given = self.given.as_ref().map(|given| given.clone().unwrap_or(Share::NONE));
        Seed::new(salt, host, &given.p1, &given.p2)
    }
}

/// The name of a share's field.
pub(crate) fn field() -> Option<Field> {
    SHARE.parse().ok()
}
