//! Matches that are known by their result alone. They are what an umpire told: outside the log, without a seal and without a
//! check. Lists have them beside all others, marked.

mod fields;
mod recording_link;

use std::sync::Arc;

use ledger::{MatchId, SubmitId};
use record::name_key;
use store::matches::known_results::{self, Told};
use store::matches::recordings::Recording;

pub use fields::{CheckedResult, ResultErrors, ResultFields, score_text};
pub use recording_link::{LinkError, RecordingLink};
pub use store::matches::known_results::{KnownResult, KnownResultAct};

use crate::account::{Role, Umpire};
use crate::act::{Act, by_umpire, form_of};
use crate::archive::{Archive, At, Filter, known_rows};
use crate::error::AppError;
use crate::recorder::Recorder;
use crate::scope::{LOG, Scope};
use crate::slug::ids_of;

/// The most that are told at once.
pub const TOLD_MAX: usize = 500;

#[derive(Debug)]
pub struct KnownResults {
    recorder: Arc<Recorder>,
    archive: Arc<Archive>,
}

impl KnownResults {
    pub(crate) fn new(recorder: Arc<Recorder>, archive: Arc<Archive>) -> Self {
        Self { recorder, archive }
    }

    /// Tells them all, or none of them. The same form again tells nothing new.
    pub async fn tell(&self, umpire: &Umpire, form: SubmitId, all: &[CheckedResult]) -> Result<Vec<MatchId>, AppError> {
        let told = all.iter().enumerate().map(|(n, checked)| {
            let at = self.recorder.system.now().to_utc();
            let match_id = self.nth_told(umpire, form, n).0;
            let new = KnownResult { match_id, umpire: umpire.id.clone(), told_at: at, ..KnownResult::default() };
            let told = self.told(umpire, checked.written(&new), ("told", Vec::new(), ""));
            let recording = checked.recording.as_ref().map(|link| Recording {
                id: match_id,
                label: None,
                seconds: None,
                address: link.as_str().to_owned(),
                umpire: umpire.id.clone(),
                at,
            });
            Told { recording, ..told }
        });
        let told: Vec<Told> = told.collect();
        known_results::write(self.recorder.logs.pool(), LOG, &told).await?;
        Ok(told.iter().map(|told| told.rows.match_id).collect())
    }

    /// The match that a form tells as the one with this number.
    #[must_use]
    pub fn nth_told(&self, umpire: &Umpire, form: SubmitId, n: usize) -> MatchId {
        let form = form_of(&["result", &form.to_string(), &n.to_string()]);
        self.recorder.id_of(Scope::Record, &Act { by: by_umpire(&umpire.id), form })
    }

    /// The one with a short name; one that was removed has no words any more.
    pub async fn find(&self, slug: &str) -> Result<Option<KnownResult>, AppError> {
        let Some(ids) = ids_of(slug) else { return Ok(None) };
        let (first, last) = (ids.start().0, ids.end().0);
        Ok(known_results::within(self.recorder.logs.pool(), LOG, first, last, 1).await?.pop())
    }

    pub async fn find_present(&self, slug: &str) -> Result<KnownResult, AppError> {
        self.find(slug).await?.filter(|known| !known.is_removed).ok_or(AppError::NoMatch)
    }

    pub async fn acts(&self, known: &KnownResult) -> Result<Vec<KnownResultAct>, AppError> {
        Ok(known_results::acts(self.recorder.logs.pool(), LOG, known.match_id).await?)
    }

    /// A match of these two in the archive with this game, date and event.
    pub async fn find_duplicate(&self, told: &CheckedResult) -> Result<Option<MatchId>, AppError> {
        let filter = Filter { player: Some(told.p1.clone()), against: Some(told.p2.clone()), ..Filter::default() };
        let same = |name: Option<&str>, other: Option<&str>| name.map(name_key) == other.map(name_key);
        let mut at = None;
        loop {
            let page = self.archive.list(&filter, at.as_ref()).await?;
            let found = page.matches.iter().find(|listed| {
                same(Some(&listed.ruleset), Some(&told.ruleset))
                    && listed.date == told.date
                    && same(listed.event.as_deref(), told.event.as_deref())
            });
            match (found, page.older) {
                (Some(found), _) => return Ok(Some(MatchId(found.match_id))),
                (None, None) => return Ok(None),
                (None, Some(older)) => at = Some(At::After(older)),
            }
        }
    }

    #[must_use]
    pub fn may_change(&self, umpire: &Umpire, known: &KnownResult) -> bool {
        umpire.role == Role::Admin || umpire.id == known.umpire
    }

    /// Corrects it. False if somebody else changed it since it was read, or removed it.
    pub async fn correct(
        &self,
        umpire: &Umpire,
        known: &KnownResult,
        checked: &CheckedResult,
        reason: &str,
    ) -> Result<bool, AppError> {
        self.change(umpire, known, checked.written(known), ("corrected", reason)).await
    }

    /// Removes it from every list with its words. Who told it and who removed it stays.
    pub async fn remove(&self, umpire: &Umpire, known: &KnownResult, reason: &str) -> Result<bool, AppError> {
        let KnownResult { match_id, version, umpire: by, told_at, result, .. } = known.clone();
        let gone =
            KnownResult { match_id, version, umpire: by, told_at, result, is_removed: true, ..KnownResult::default() };
        self.change(umpire, known, gone, ("removed", reason)).await
    }

    /// Withdraws the names that are somebody's. Returns how many there were.
    pub async fn withdraw_names(
        &self,
        umpire: &Umpire,
        known: &KnownResult,
        is_theirs: impl Fn(&str) -> bool,
    ) -> Result<usize, AppError> {
        let kept = |name: &Option<String>| name.clone().filter(|name| !is_theirs(name));
        let written = KnownResult { p1: kept(&known.p1), p2: kept(&known.p2), ..known.clone() };
        if !self.change(umpire, known, written, ("withdrawn", "")).await? {
            return Ok(0);
        }
        let names: Vec<&String> = [&known.p1, &known.p2].into_iter().flatten().filter(|name| is_theirs(name)).collect();
        for name in &names {
            self.recorder.index.forget_name(&name_key(name)).await?;
        }
        Ok(names.len())
    }

    async fn change(
        &self,
        umpire: &Umpire,
        before: &KnownResult,
        now: KnownResult,
        (act, reason): (&str, &str),
    ) -> Result<bool, AppError> {
        if !self.may_change(umpire, before) {
            return Err(AppError::NotYourMatch);
        }
        let fields = if now.is_removed { Vec::new() } else { changed_fields(before, &now) };
        if fields.is_empty() && !now.is_removed {
            return Ok(true);
        }
        let told = self.told(umpire, now, (act, fields, reason));
        Ok(known_results::write(self.recorder.logs.pool(), LOG, &[told]).await? > 0)
    }

    /// The next version of it.
    fn told(&self, umpire: &Umpire, known: KnownResult, (act, fields, reason): (&str, Vec<String>, &str)) -> Told {
        let at = self.recorder.system.now().to_utc();
        let known = KnownResult { version: known.version + 1, changed_at: at, ..known };
        let (act, reason) = (act.to_owned(), reason.to_owned());
        let act = KnownResultAct { act, fields, umpire: umpire.id.clone(), at, reason };
        Told { rows: known_rows(&known), known, act, recording: None }
    }
}

fn changed_fields(before: &KnownResult, now: &KnownResult) -> Vec<String> {
    let score = |known: &KnownResult| (known.score_p1, known.score_p2);
    let all = [
        ("game", before.ruleset == now.ruleset),
        ("player 1", before.p1 == now.p1),
        ("player 2", before.p2 == now.p2),
        ("result", before.result == now.result),
        ("score", score(before) == score(now)),
        ("date", before.date == now.date),
        ("event", before.event == now.event),
    ];
    all.into_iter().filter(|(_, same)| !same).map(|(field, _)| field.to_owned()).collect()
}
