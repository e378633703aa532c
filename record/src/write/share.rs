//! The basis of the host's draws: its share, the question for the others, the list of shares that count, the list of
//! their openings, and the seed.
//!
//! A signed checkpoint must cover an entry before the next step reveals something: the host's seal before the seats are
//! asked, the list before the shares are opened, the openings before the seed. The caller that appends must ensure this.

use engine::{BySeat, Party, Seat};
use ledger::{Author, Commitment, DecisionId, Draft, Moment, Seq, Share};

use super::seal::seal;
use super::{NewEntries, Pace, Seal, WriteContext, WriteError, ask_body, opening, place};
use crate::body::{
    Body, DrawnSeal, FixedSeed, HostShare, OpenSignature, Opening, ShareList, ShareOpenings, Tree, purpose,
};
use crate::history::History;
use crate::private_openings::{Secret, Secrets};
use crate::seed::{FixedSeedRecord, HostAct, field};
use crate::share;

const UNSEALABLE: WriteError = WriteError::NotNow("this share cannot be sealed");

/// An opening that a seat sent for its listed share.
#[derive(Clone, Debug)]
pub struct ShareOpening {
    /// The seat.
    pub seat: Seat,
    /// The time of arrival.
    pub came: Moment,
    /// The opening.
    pub secret: Secret,
    /// The seat's signature, if it signs.
    pub signature: Option<OpenSignature>,
}

/// Seals the host's share of coming draws. If shares are gathered anew, it opens the one that is given up.
pub fn host_share(
    context: &mut WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
) -> Result<NewEntries, WriteError> {
    if history.host_act() != Some(HostAct::Seal) {
        return Err(WriteError::NotNow("the host needs no share now"));
    }
    let mut written = NewEntries::default();
    let ordinal = u32::try_from(history.seeds.len()).unwrap_or(u32::MAX);
    let last = history.seeds.last().filter(|last| !history.is_share_open(last));
    let openings = last.map(|last| opening(secrets, last.share, &field().ok_or(UNSEALABLE)?)).transpose()?;
    sealed_share(context, &mut written, place(history, 0), ordinal, openings.into_iter().collect())?;
    Ok(written)
}

pub(super) fn sealed_share(
    context: &mut WriteContext<'_>,
    written: &mut NewEntries,
    at: Seq,
    ordinal: u32,
    openings: Vec<Opening>,
) -> Result<(), WriteError> {
    let decision: DecisionId = format!("drawn-{at}").parse().map_err(|_| UNSEALABLE)?;
    let field = field().ok_or(UNSEALABLE)?;
    let value = Share::new((context.entropy)()).to_hex();
    let commitment = context.unasked(written, &decision, Party::Host, &field, value)?;
    let (purpose, seals) = (purpose::SHARE.to_owned(), vec![DrawnSeal { field, commitment }]);
    written.drafts.push(context.host_draft(&Body::HostShare(HostShare { purpose, ordinal, seals, openings })));
    Ok(())
}

/// Asks the seats for their shares.
pub fn ask_shares(context: &WriteContext<'_>, history: &History) -> Result<NewEntries, WriteError> {
    if history.host_act() != Some(HostAct::Ask) {
        return Err(WriteError::NotNow("nobody is to be asked for a share now"));
    }
    let (ask, pace) = (share::ask(), Pace::of(history).awaited());
    let asked = ask_body(&ask, history.decisions.saturating_add(1), pace.closes(&ask, context.at, None));
    Ok(NewEntries { drafts: vec![context.draft(&Body::Asked(asked))], ..NewEntries::default() })
}

/// Enters the seats' sealed shares, and lists them.
///
/// # Errors
/// The decision does not gather shares, or they are listed already.
pub fn list_shares(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    seals: &[Seal],
) -> Result<NewEntries, WriteError> {
    let not_gathered = WriteError::NotNow("no shares are gathered now");
    let seed = history.gathering().filter(|seed| seed.asked.as_ref() == Some(decision)).ok_or(not_gathered)?;
    let mut written = seal(context, history, decision, seals)?;
    let mut sealed: BySeat<Option<u32>> = BySeat::default();
    let mut commitments: BySeat<Option<Commitment>> = BySeat::default();
    // The seals are behind the keys.
    let first = written.drafts.len().saturating_sub(seals.len());
    for (seal, n) in seals.iter().zip(first..) {
        sealed[seal.seat] = Some(place(history, n).0);
        commitments[seal.seat] = seal.commitments.first().copied();
    }
    let before = history.seeds.iter().filter(|seed| seed.list.is_some()).count();
    let listed = ShareList {
        purpose: purpose::SHARES.to_owned(),
        ordinal: u32::try_from(before).unwrap_or(u32::MAX),
        host: seed.share.0,
        decision: decision.clone(),
        sealed: sealed.into(),
        commitments: commitments.into(),
    };
    written.drafts.push(context.host_draft(&Body::ShareList(listed)));
    Ok(written)
}

/// Lists the openings that came for the listed shares, and those that the server has. `tree` covers the list of shares.
pub fn list_openings(
    context: &WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
    received: &[ShareOpening],
    tree: Tree,
) -> Result<NewEntries, WriteError> {
    let not_awaited = WriteError::NotNow("no openings of shares are awaited");
    let (list, field) = history.awaited_openings().zip(field()).ok_or(not_awaited)?;
    let at = received.iter().map(|one| one.came).fold(context.at.max(history.last_at), Moment::max);
    let (mut openings, mut came, mut signatures) = (Vec::new(), BySeat::default(), BySeat::default());
    for (seat, sealed) in list.sealed.each() {
        let Some(sealed) = *sealed else { continue };
        let sent = received.iter().find(|one| one.seat == seat);
        let known = secrets.get(&(sealed, field.clone()));
        match (sent, known) {
            (Some(sent), _) => {
                openings.push(sent.secret.opening(sealed, field.clone()));
                (came[seat], signatures[seat]) = (Some(sent.came), sent.signature);
            }
            (None, Some(known)) => openings.push(known.opening(sealed, field.clone())),
            (None, None) if at > list.deadline() => {}
            (None, None) => return Err(WriteError::NotNow("a player has time to open its share")),
        }
    }
    let before = history.seeds.iter().filter(|seed| seed.opened.is_some()).count();
    let opened = ShareOpenings {
        purpose: purpose::OPENINGS.to_owned(),
        ordinal: u32::try_from(before).unwrap_or(u32::MAX),
        listed: list.entry.0,
        openings,
        came: came.into(),
        signatures: signatures.into(),
        tree,
    };
    let draft = Draft { at, ..context.host_draft(&Body::ShareOpenings(opened)) };
    Ok(NewEntries { drafts: vec![draft], ..NewEntries::default() })
}

/// Publishes the root over the first keys, and asks the game's questions. `tree` covers the list of the openings.
pub fn seed(
    context: &WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
    tree: Tree,
) -> Result<NewEntries, WriteError> {
    let not_listed = || WriteError::NotNow("the openings of the shares are listed first");
    let record = history.gathering().ok_or_else(not_listed)?;
    let opened = record.opened.as_ref().ok_or_else(not_listed)?;
    let field = field().ok_or(UNSEALABLE)?;
    let host = secrets.get(&(record.share, field)).and_then(|secret| Share::from_hex(&secret.value).ok());
    let host = host.ok_or(WriteError::Missing("the host's own share is not here"))?;
    let fixed = FixedSeedRecord { entry: place(history, 0), given: opened.given.clone(), roots: Vec::new() };
    let before = history.seeds.iter().filter(|seed| seed.fixed.is_some()).count();
    let seeded = FixedSeed {
        purpose: purpose::SEED.to_owned(),
        ordinal: u32::try_from(before).unwrap_or(u32::MAX),
        listed: opened.entry.0,
        openings: Vec::new(),
        tree,
        root: fixed.seed(&record.salt, &host).tree(0).root(),
    };
    let mut written = NewEntries::default();
    written.drafts.push(context.host_draft(&Body::FixedSeed(seeded)));
    let still: Vec<_> = history.open.iter().collect();
    written.drafts.extend(context.asks(Pace::of(history), history.duel(), Some(history), &still));
    Ok(written)
}

impl WriteContext<'_> {
    /// An entry by the host itself, even if somebody else requested it.
    pub(super) fn host_draft(&self, body: &Body) -> Draft {
        Draft { by: Author::Host, ..self.draft(body) }
    }
}
