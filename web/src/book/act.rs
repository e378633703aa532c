//! What an umpire does, performed: the texts first, then the entries, then the index.
//!
//! Each step says what a crash there would mean. An act that was cut short is finished by [`Book::settle`], at the next
//! act on the match or at the next start.

use std::sync::Arc;
use std::time::Duration;

use engine::{BySeat, Seat, Verdict};
use ledger::store::{Append, Appended, Received, Submission as Private, Submit, SubmitId};
use ledger::{By, DecisionId, Hash, Head, MatchId, Sealer};
use record::body::Tree;
use record::write::{self, Desk, Import, NewMatch, Seal, WriteError, Written};
use record::{History, Secrets, StepSource};
use sha2::{Digest, Sha256};

use super::secrets::struck_place;
use super::{Book, BookError, LOG};

/// How long an umpire waits for the database.
const PATIENCE: Duration = Duration::from_secs(15);

/// Who acts, and the form that is sent with it: a form that is sent twice acts once.
#[derive(Clone, Debug)]
pub struct Act {
    /// The umpire.
    pub by: By,
    /// The form's own id.
    pub form: SubmitId,
}

/// What an umpire typed for a decision, by seat; none for a seat that is not asked.
pub type Moves = BySeat<Option<String>>;

/// What came of recording.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The match after it.
    pub history: Arc<History>,
}

impl Act {
    /// The id under which an append is known, and what it asked for.
    fn submit(&self, what: &[&str]) -> Submit {
        let mut digest = Sha256::new();
        for part in [self.by.to_string().as_str()].iter().chain(what) {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Submit { id: self.form, digest: Hash::new(digest.finalize().into()) }
    }
}

/// The id of a form that follows from what it holds: whoever sends the same again, acts once.
#[must_use]
pub fn form_of(parts: &[&str]) -> SubmitId {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hash = hash.finalize();
    let mut id = [0; 16];
    id.iter_mut().zip(hash).for_each(|(byte, from)| *byte = from);
    SubmitId(id)
}

/// A form's id for one seat's private row: the form's own id is the append's.
fn seat_submit(submit: &Submit, seat: Seat) -> Submit {
    let hash = Sha256::new().chain_update(submit.id.0).chain_update(seat.word()).finalize();
    let mut id = [0; 16];
    id.iter_mut().zip(hash).for_each(|(byte, from)| *byte = from);
    Submit { id: SubmitId(id), digest: submit.digest }
}

const fn sealer(seat: Seat) -> Sealer {
    match seat {
        Seat::P1 => Sealer::P1,
        Seat::P2 => Sealer::P2,
    }
}

impl Book {
    /// Opens a match, and gives its id.
    ///
    /// # Errors
    /// The setup is refused, or the database.
    pub async fn open_match(&self, act: &Act, new: &NewMatch) -> Result<MatchId, BookError> {
        let match_id = self.id_of(act);
        let submit = act.submit(&["open", &format!("{new:?}")]);
        if self.repeated(&submit).await? {
            return Ok(match_id);
        }
        let new = NewMatch { host_key: self.keys.host_public_text(), ..new.clone() };
        let written = self.at_desk(match_id, &act.by, |desk| write::open(desk, &new))?;
        self.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.index(match_id).await?;
        Ok(match_id)
    }

    /// Enters a match of the past, and gives its id.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn import(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<MatchId, BookError> {
        let match_id = self.id_of(act);
        let submit = act.submit(&["import", &import.lines().join("\n"), source.unwrap_or_default()]);
        if self.repeated(&submit).await? {
            return Ok(match_id);
        }
        let host_key = self.keys.host_public_text();
        let written = self.at_desk(match_id, &act.by, |desk| write::import(desk, import, source, &host_key))?;
        self.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.index(match_id).await?;
        Ok(match_id)
    }

    /// A match's id follows from the form that opens it, so that the form can be sent again.
    fn id_of(&self, act: &Act) -> MatchId {
        let hash: [u8; 32] = Sha256::new()
            .chain_update(b"matchbook/match-id/1\n")
            .chain_update(self.origin().as_str())
            .chain_update(act.form.0)
            .finalize()
            .into();
        let half: [u8; 16] = std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0));
        MatchId(uuid::Builder::from_random_bytes(half).into_uuid())
    }

    /// Records what the seats sent for a decision: sealed, closed, covered by a tree, then opened and resolved.
    ///
    /// # Errors
    /// A move is refused, or somebody else was first; nothing was recorded then.
    pub async fn record(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        moves: &Moves,
    ) -> Result<Recorded, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let sent = moves.as_ref().map(|sent| sent.as_deref().map(str::trim));
        let submit = act.submit(&["record", decision.as_str(), sent.p1.unwrap_or(""), sent.p2.unwrap_or("")]);
        let history = self.settle_in_turn(match_id, &act.by).await?;
        if self.repeated(&submit).await? {
            return Ok(Recorded { history });
        }
        let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) else {
            // A crash may have come between its rows and its seals: then it was settled by somebody else.
            let ours = self.is_ours(match_id, decision, &submit).await? || said_nothing(&history, decision, &sent);
            return if ours { Ok(Recorded { history }) } else { Err(BookError::Overtaken) };
        };
        let seats: Vec<Seat> = open.asked.seats.iter().map(|seat| seat.0).collect();
        let mut prepared = Vec::new();
        for seat in &seats {
            let text = sent[*seat].filter(|text| !text.is_empty());
            let text = text.ok_or(WriteError::Missing("type a move for each seat, or - where nothing came"))?;
            let made = self.at_desk(match_id, &act.by, |desk| write::prepare(desk, &history, decision, *seat, text))?;
            prepared.extend(made);
        }
        for submission in &prepared {
            let seat = sealer(submission.seat);
            let private = Private {
                match_id,
                decision: decision.clone(),
                seat,
                at: self.mint.now(),
                commitments: submission.commitments.clone(),
                escrow: Some(self.lock_away(match_id, decision, seat, &submission.secrets)?),
                submit: Some(seat_submit(&submit, submission.seat)),
            };
            // A crash after this leaves a private row that does not count until the decision closes: typed again, the
            // later row counts.
            self.store.submit(&private).await?;
        }
        let seats: Vec<Sealer> = seats.into_iter().map(sealer).collect();
        let received = self.store.close(match_id, decision, &seats, self.mint.now()).await?;
        // From here on the decision is closed, and whoever comes next settles it with what came in until now.
        let history = self.enter(match_id, &act.by, &history, decision, &received, Some(submit)).await?;
        Ok(Recorded { history })
    }

    /// Whether a row of this form is among the submissions for a decision.
    async fn is_ours(&self, match_id: MatchId, decision: &DecisionId, submit: &Submit) -> Result<bool, BookError> {
        for seat in Seat::BOTH {
            let (decision, at, submit) = (decision.clone(), self.mint.now(), Some(seat_submit(submit, seat)));
            let seat = sealer(seat);
            let row = Private { match_id, decision, seat, at, commitments: Vec::new(), escrow: None, submit };
            if self.store.repeated(&row).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Seals and resolves a decision that has closed.
    async fn enter(
        &self,
        match_id: MatchId,
        by: &By,
        history: &History,
        decision: &DecisionId,
        received: &[Received],
        submit: Option<Submit>,
    ) -> Result<Arc<History>, BookError> {
        let seals = counting(received);
        let written = self.at_desk(match_id, by, |desk| write::seal(desk, history, decision, &seals))?;
        let (tree, submit) = if written.drafts.is_empty() {
            (self.tree().await?, submit)
        } else {
            // A crash after this leaves seals without a resolution: settle() resolves them, with the same openings.
            let appended = self.append(match_id, history.head, written, submit).await?;
            (Tree { size: appended.tree.size.0, root: appended.tree.root }, None)
        };
        let sealed = self.history(match_id).await?;
        self.resolve(match_id, by, &sealed, decision, tree, submit).await
    }

    async fn resolve(
        &self,
        match_id: MatchId,
        by: &By,
        sealed: &History,
        decision: &DecisionId,
        tree: Tree,
        submit: Option<Submit>,
    ) -> Result<Arc<History>, BookError> {
        let secrets = self.all_secrets(match_id).await?;
        let written = self.at_desk(match_id, by, |desk| write::resolve(desk, sealed, decision, &secrets, tree))?;
        self.append(match_id, sealed.head, written, submit).await?;
        self.index(match_id).await?;
        self.history(match_id).await
    }

    /// Finishes what a crash cut short: a decision that was closed or sealed, and not resolved.
    ///
    /// # Errors
    /// The match cannot be read, or the database.
    pub async fn settle(&self, match_id: MatchId) -> Result<Arc<History>, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        self.settle_in_turn(match_id, &By::Server).await
    }

    /// Finishes what a crash cut short, in every match that still runs.
    ///
    /// # Errors
    /// The database. A match that cannot be read is skipped, and said in the program's log.
    pub async fn settle_all(&self) -> Result<(), BookError> {
        let running = sqlx::query_scalar!("select match_id from archive where log_id = $1 and result = '*'", LOG.0);
        for match_id in running.fetch_all(self.pool()).await? {
            match self.settle(MatchId(match_id)).await {
                Err(error @ BookError::Store(_)) => return Err(error),
                Err(error) => tracing::error!(%match_id, %error, "a running match cannot be settled"),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    async fn settle_in_turn(&self, match_id: MatchId, by: &By) -> Result<Arc<History>, BookError> {
        let history = self.history(match_id).await?;
        for open in &history.open {
            let decision = &open.asked.decision;
            if !open.sealed.is_empty() {
                let tree = self.tree().await?;
                return self.resolve(match_id, by, &history, decision, tree, None).await;
            }
            let received = self.store.submissions(match_id, decision).await?;
            if received.iter().any(Received::closes) {
                return self.enter(match_id, by, &history, decision, &received, None).await;
            }
        }
        Ok(history)
    }

    /// Records a ruling, and the result where it decides one.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn rule(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        clause: Option<&str>,
        text: &str,
        verdict: Option<Verdict>,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&["rule", clause.unwrap_or(""), text, verdict.map_or("", Verdict::word)]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::rule(desk, history, clause, text, verdict))
            .await
    }

    /// Records a public remark.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn note(&self, act: &Act, match_id: MatchId, seen: Head, text: &str) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&["note", text]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::note(desk, history, text)).await
    }

    /// Strikes every step from one on.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn strike(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        from: u32,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&["strike", &from.to_string(), reason]);
        self.act(act, match_id, seen, submit, |desk, history, secrets| {
            let plan = write::plan_strike(history, from)?;
            write::strike(desk, history, &plan, reason, secrets)
        })
        .await
    }

    /// Corrects the moves of one step, and keeps the later ones as they were sent. Give the move of each seat that is to
    /// be corrected.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn correct(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        step: u32,
        moves: &Moves,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let moves = moves.as_ref().map(|sent| sent.as_deref().map(str::trim));
        // A seat that is left as it was is not the same as one that is asked to have sent nothing.
        let said = moves.map(|sent| sent.map_or_else(String::new, |sent| format!("={sent}")));
        let submit = act.submit(&["correct", &step.to_string(), &said.p1, &said.p2, reason]);
        self.act(act, match_id, seen, submit, |desk, history, secrets| {
            let plan = write::plan_correction(history, step, moves)?;
            write::strike(desk, history, &plan, reason, secrets)
        })
        .await
    }

    /// Enters the result, and opens everything that was still secret.
    ///
    /// # Errors
    /// The match still runs, or somebody else was first.
    pub async fn end(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&["end"]);
        let ended =
            self.act(act, match_id, seen, submit, |desk, history, secrets| write::end(desk, history, secrets)).await?;
        // Everything is public now. A crash before this leaves ciphertext that opens nothing new.
        self.store.forget_escrow(match_id).await?;
        Ok(ended)
    }

    /// One append, on the head that the umpire saw.
    async fn act(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        submit: Submit,
        write: impl FnOnce(&mut Desk<'_>, &History, &Secrets) -> Result<Written, WriteError>,
    ) -> Result<Arc<History>, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let history = self.settle_in_turn(match_id, &act.by).await?;
        if self.repeated(&submit).await? {
            return Ok(history);
        }
        if history.head != seen {
            return Err(BookError::Overtaken);
        }
        let secrets = self.all_secrets(match_id).await?;
        let written = self.at_desk(match_id, &act.by, |desk| write(desk, &history, &secrets))?;
        self.append(match_id, history.head, written, Some(submit)).await?;
        self.index(match_id).await?;
        self.history(match_id).await
    }

    /// Whether this very form did its work already.
    async fn repeated(&self, submit: &Submit) -> Result<bool, BookError> {
        match self.store.submitted(submit).await? {
            Some(false) => Err(BookError::SubmitReused),
            Some(true) => Ok(true),
            None => Ok(false),
        }
    }

    async fn append(
        &self,
        match_id: MatchId,
        expected: Head,
        written: Written,
        submit: Option<Submit>,
    ) -> Result<Appended, BookError> {
        // Texts and openings first: a crash in between leaves some that no entry mentions, and the other order would leave
        // entries whose texts and openings are gone.
        let texts = written.texts.into_iter().map(|(commitment, text)| ledger::store::Text {
            commitment,
            key: text.key,
            text: text.text,
        });
        let texts: Vec<_> = texts.collect();
        if !texts.is_empty() {
            self.store.keep_texts(match_id, &texts).await?;
        }
        if let Some(decision) = struck_place(expected.next).filter(|_| !written.secrets.is_empty()) {
            let commitments = written.secrets.iter().map(|(commitment, ..)| *commitment).collect();
            let secrets: Vec<_> = written.secrets.into_iter().map(|(_, field, secret)| (field, secret)).collect();
            let escrow = Some(self.lock_away(match_id, &decision, Sealer::Host, &secrets)?);
            let at = self.mint.now();
            let seat = Sealer::Host;
            self.store.submit(&Private { match_id, decision, seat, at, commitments, escrow, submit: None }).await?;
        }
        // The writer waits for a database that is away for as long as it takes. Whoever asked does not: whether it was
        // appended is not known then, and the same form can be sent again.
        let append = self.writer.append(Append { match_id, expected, drafts: written.drafts, submit });
        tokio::time::timeout(PATIENCE, append).await.map_err(|_| BookError::Stopped)?.map_err(BookError::from)
    }

    fn at_desk<T>(
        &self,
        match_id: MatchId,
        by: &By,
        work: impl FnOnce(&mut Desk<'_>) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let mut entropy = || self.mint.bytes32();
        let (by, at) = (by.clone(), self.mint.now());
        work(&mut Desk { origin: self.origin(), match_id, by, at, entropy: &mut entropy })
    }

    async fn tree(&self) -> Result<Tree, BookError> {
        let head = self.store.tree_head().await?;
        Ok(Tree { size: head.size.0, root: head.root })
    }

    async fn all_secrets(&self, match_id: MatchId) -> Result<Secrets, BookError> {
        let stored = self.store.match_entries(match_id).await?;
        let entries = stored.iter().map(|entry| ledger::Entry::read(&entry.bytes)).collect::<Result<Vec<_>, _>>();
        let entries = entries.map_err(|error| BookError::Unreadable(error.to_string()))?;
        self.secrets(match_id, &entries).await
    }
}

/// Whether the form said that nothing came from anybody, and that is how the decision was resolved. Such a form leaves no
/// row behind.
fn said_nothing(history: &History, decision: &DecisionId, sent: &BySeat<Option<&str>>) -> bool {
    let nothing = Seat::BOTH.into_iter().all(|seat| sent[seat].is_none_or(|sent| sent == "-"));
    let resolved = history.steps.iter().find(|step| step.source == StepSource::Decision(decision.clone()));
    nothing && resolved.is_some_and(|step| step.seals.is_empty())
}

/// The last submission of each seat below the close.
fn counting(received: &[Received]) -> Vec<Seal> {
    let last = |seat: Seat| {
        let mut rows = received.iter().filter(|row| row.seat == sealer(seat) && !row.closes());
        rows.next_back().map(|row| Seal {
            seat,
            ordinal: u32::from(row.ordinal.0),
            came: row.at,
            commitments: row.commitments.clone(),
        })
    };
    Seat::BOTH.into_iter().filter_map(last).collect()
}
