//! What an umpire does, performed: the entries with their texts first, then the index. Each step says what a crash there
//! would mean.

use std::sync::Arc;
use std::time::Duration;

use engine::{BySeat, Verdict};
use ledger::{By, Head, Kind, MatchId, Sealer};
use record::body::Tree;
use record::write::{self, Amendment, NewEntries, NewMatch, WriteContext, WriteError};
use record::{History, Secrets};
use sha2::{Digest, Sha256};
use store::{Append, Appended, Counts, Submission as Private, Submit, SubmitId};

use super::{Book, BookError};
use crate::keys::Keys;

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
    pub(super) fn submit(&self, keys: &Keys, what: &[&str]) -> Submit {
        let by = self.by.to_string();
        let digest = keys.digest([by.as_str()].iter().chain(what).map(|part| part.as_bytes()));
        Submit { id: self.form, digest }
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

/// Whether the open questions end with what is written: a strike asks anew, and after a result nothing is asked.
fn takes_questions_away(written: &NewEntries) -> bool {
    let ends = |body: &str| body.contains("\"verdict\":") || body.contains("\"does\":\"records\"");
    let decides = |draft: &ledger::Draft| draft.kind == Kind::Ruled && ends(&draft.body);
    written.drafts.iter().any(|draft| draft.kind == Kind::Struck || decides(draft))
}

impl Book {
    /// Opens a match, and gives its id.
    ///
    /// # Errors
    /// The setup is refused, or the database.
    pub async fn open_match(&self, act: &Act, new: &NewMatch) -> Result<MatchId, BookError> {
        let match_id = self.id_of(act);
        let submit = act.submit(&self.keys, &["open", &format!("{new:?}")]);
        if self.repeated(&submit).await? {
            return Ok(match_id);
        }
        let new = NewMatch { host_key: self.keys.host_public_text(), ..new.clone() };
        let written = self.at_desk(match_id, &act.by, |desk| write::open(desk, &new))?;
        self.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.index(match_id).await?;
        self.host_acts(match_id, &act.by).await?;
        Ok(match_id)
    }

    /// A match's id follows from the form that opens it, so that the form can be sent again.
    pub(super) fn id_of(&self, act: &Act) -> MatchId {
        let hash: [u8; 32] = Sha256::new()
            .chain_update(b"matchbook/match-id/1\n")
            .chain_update(self.origin().as_str())
            .chain_update(act.form.0)
            .finalize()
            .into();
        let half: [u8; 16] = std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0));
        let id = if self.is_practice() {
            uuid::Builder::from_custom_bytes(half)
        } else {
            uuid::Builder::from_random_bytes(half)
        };
        MatchId(id.into_uuid())
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
        let submit = act.submit(&self.keys, &["rule", clause.unwrap_or(""), text, verdict.map_or("", Verdict::word)]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::rule(desk, history, clause, text, verdict))
            .await
    }

    /// Records a public remark.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn note(&self, act: &Act, match_id: MatchId, seen: Head, text: &str) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["note", text]);
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
        let submit = act.submit(&self.keys, &["strike", &from.to_string(), reason]);
        self.act(act, match_id, seen, submit, |desk, history, secrets| {
            let plan = write::plan_strike(history, from)?;
            write::strike(desk, history, &plan, reason, secrets)
        })
        .await
    }

    /// Corrects one step, and keeps the later ones as they were sent. Give the move of each seat that is to be corrected,
    /// or what the host drew.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn correct(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        step: u32,
        amended: Amendment<'_>,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let (moves, draw) = (amended.moves.map(|sent| sent.map(str::trim)), amended.draw.map(str::trim));
        // A seat that is left as it was is not the same as one that is asked to have sent nothing.
        let said = moves.map(|sent| sent.map_or_else(String::new, |sent| format!("={sent}")));
        let submit = act
            .submit(&self.keys, &["correct", &step.to_string(), &said.p1, &said.p2, draw.unwrap_or_default(), reason]);
        self.act(act, match_id, seen, submit, |desk, history, secrets| {
            let plan = write::plan_correction(history, step, Amendment { moves, draw })?;
            write::strike(desk, history, &plan, reason, secrets)
        })
        .await
    }

    /// Enters the result, and opens everything that was still secret.
    ///
    /// # Errors
    /// The match still runs, or somebody else was first.
    pub async fn end(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["end"]);
        let now = self.history(match_id).await?;
        let replaced = self.unentered(&now).await?;
        let ended = self
            .act(act, match_id, seen, submit, |desk, history, secrets| write::end(desk, history, secrets, replaced))
            .await?;
        // Everything is public now. A crash before this leaves ciphertext that opens nothing new.
        self.store.forget_escrow(match_id).await?;
        Ok(ended)
    }

    /// One append, on the head that the umpire saw.
    pub(super) async fn act(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        submit: Submit,
        write: impl FnOnce(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
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
        self.act_in_turn(act, match_id, &history, submit, write).await
    }

    /// One append, by whoever has the match's turn.
    pub(super) async fn act_in_turn(
        &self,
        act: &Act,
        match_id: MatchId,
        history: &History,
        submit: Submit,
        write: impl FnOnce(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
    ) -> Result<Arc<History>, BookError> {
        let secrets = self.secrets(match_id).await?;
        let written = self.at_desk(match_id, &act.by, |desk| write(desk, history, &secrets))?;
        if takes_questions_away(&written) {
            self.close_all(history).await?;
        }
        self.append(match_id, history.head, written, Some(submit)).await?;
        self.index(match_id).await?;
        self.host_acts(match_id, &act.by).await
    }

    /// Whether this very form did its work already.
    pub(super) async fn repeated(&self, submit: &Submit) -> Result<bool, BookError> {
        match self.store.submitted(submit).await? {
            Some(false) => Err(BookError::SubmitReused),
            Some(true) => Ok(true),
            None => Ok(false),
        }
    }

    pub(super) async fn append(
        &self,
        match_id: MatchId,
        expected: Head,
        written: NewEntries,
        submit: Option<Submit>,
    ) -> Result<Appended, BookError> {
        let texts = written.texts.into_iter().map(|(commitment, text)| store::Text {
            commitment,
            key: text.key,
            text: text.text,
        });
        let texts = texts.collect();
        // Openings first: a crash in between leaves some that no entry mentions, and the other order would leave entries
        // whose openings are gone.
        if let Some(decision) = written.kept_as {
            let commitments = written.secrets.iter().map(|(commitment, ..)| *commitment).collect();
            let secrets: Vec<_> = written.secrets.into_iter().map(|(_, field, secret)| (field, secret)).collect();
            let escrow = Some(self.lock_away(match_id, &decision, Sealer::Host, &secrets)?);
            let (at, seat, sent_by) = (self.mint.now(), Sealer::Host, By::Host);
            let (submit, signed, counts) = (None, None, Counts::Last);
            let row = Private {
                log_id: self.log(),
                match_id,
                decision,
                seat,
                at,
                commitments,
                escrow,
                submit,
                sent_by,
                signed,
                counts,
            };
            self.letters.submit(row).await?;
        }
        // The writer waits for a database that is away for as long as it takes. Whoever asked does not: whether it was
        // appended is not known then, and the same form can be sent again.
        let append = self.writer.append(Append {
            log_id: self.log(),
            match_id,
            expected,
            drafts: written.drafts,
            texts,
            submit,
        });
        let appended = tokio::time::timeout(PATIENCE, append).await.map_err(|_| BookError::Stopped)??;
        if !self.is_practice() {
            self.signer.entered(appended.tree.size);
        }
        self.following.entered(match_id, &appended);
        Ok(appended)
    }

    pub(super) fn at_desk<T>(
        &self,
        match_id: MatchId,
        by: &By,
        work: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let place = format!("desk/{match_id}/{by}");
        let mut entropy = || self.mint.bytes32_for(&place);
        let (by, at) = (by.clone(), self.mint.now());
        work(&mut WriteContext { origin: self.origin(), match_id, by, at, entropy: &mut entropy })
    }

    pub(super) async fn tree(&self) -> Result<Tree, BookError> {
        let head = self.store.tree_head().await?;
        Ok(Tree { size: head.size.0, root: head.root })
    }
}
