//! Entries with proofs of their places, for receipt files.

use std::collections::BTreeMap;

use ledger::{MatchId, Note, Seq, TlogProof, VerifierKey};
use record::receipts::EntryProof;

use super::{ProofError, PublicLog};
use crate::error::AppError;

impl PublicLog {
    pub async fn placed(
        &self,
        match_id: MatchId,
        wanted: &[Seq],
    ) -> Result<(Option<VerifierKey>, BTreeMap<Seq, EntryProof>), AppError> {
        let unreadable = |error: &dyn ToString| AppError::Unreadable(error.to_string());
        let (mut log, mut placed) = (None, BTreeMap::new());
        for stored in
            self.logs.store(match_id).match_entries(match_id).await?.into_iter().filter(|one| wanted.contains(&one.seq))
        {
            let proof = match self.prove_entry(match_id, stored.index).await {
                Ok((proof, signed)) => {
                    let checkpoint = self.cosigned(&signed).await?;
                    let checkpoint = Note::read(checkpoint.as_bytes()).map_err(|error| unreadable(&error))?;
                    log = Some(self.signer.verifier(&signed.origin));
                    let (leaf, inclusion) = (stored.index, proof.proof);
                    Some(TlogProof { extra: None, leaf, inclusion, checkpoint }.to_string())
                }
                // Nothing is signed yet, so there is no proof.
                Err(ProofError::NotSigned { .. } | ProofError::Prove(_)) => None,
                Err(ProofError::App(error)) => return Err(error),
            };
            let entry = String::from_utf8(stored.bytes).map_err(|error| unreadable(&error))?;
            placed.insert(stored.seq, EntryProof { entry, proof });
        }
        Ok((log, placed))
    }
}
