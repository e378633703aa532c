//! A monitor: it follows a log for good, keeps what it saw, and says what contradicts it.
//!
//! Each look reads the checkpoint and the entries behind the kept tree, as an audit does. Its order is what makes a
//! crash harmless: first everything that was found is said, then the hashes are on the disk, then the new state takes
//! the place of the old one. Whatever ends before that is read and said again.

mod alarm;
mod folder;
mod growth;
mod log_state;

pub use alarm::Alarm;
pub use folder::FolderError;
pub use log_state::WatchedKey;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ledger::policy::{Judgement, QuorumStatus};
use ledger::{Checkpoint, LeafIndex, Moment, Note, Policy, Tree, TreeSize, VerifierKey};
use record::succession::Succession;
use thiserror::Error;

use self::folder::{Folder, WatchState};
use self::growth::{Alarms, Growth};
use self::log_state::LogState;
use super::site::SiteSource;
use super::source::{LogTrust, SourceError};
use app::system::System;

/// The longest wait after failures. The first wait is a second, and each further one doubles.
const WAIT_MAX: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// Which log it is, and who must have cosigned.
    pub policy: Policy,
    pub late: Option<Duration>,
    pub stale: Duration,
    pub keys: Vec<WatchedKey>,
}

pub struct Watch {
    url: String,
    options: WatchOptions,
    system: Arc<System>,
    folder: Folder,
    kept: Option<WatchState>,
    /// The alarms of the last look about the log as it is. They are not repeated while they hold.
    said: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    pub tree: Option<Tree>,
    pub matches: usize,
    pub alarms: usize,
}

#[derive(Debug, Error)]
pub enum WatchError {
    /// The site does not answer, or not in the log's formats.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The folder of the monitor.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// An alarm could not be said.
    #[error("the output: {0}")]
    Output(#[source] io::Error),
    /// The folder is that of another log.
    #[error("the folder keeps the log {kept}, and this is {found}: give each log a folder of its own")]
    AnotherLog {
        /// The log in the folder.
        kept: String,
        /// The log at the address.
        found: String,
    },
}

impl WatchError {
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Source(_))
    }
}

pub type Say<'s> = dyn FnMut(&Alarm) -> io::Result<()> + Send + 's;

impl Watch {
    pub fn open(url: &str, options: WatchOptions, folder: &Path, system: Arc<System>) -> Result<Self, WatchError> {
        let folder = Folder::open(folder)?;
        let kept = folder.read()?;
        Ok(Self { url: url.to_owned(), options, system, folder, kept, said: BTreeSet::new() })
    }

    pub async fn follow(
        &mut self,
        interval: Duration,
        say: &mut Say<'_>,
        failed: &mut (dyn FnMut(&WatchError) + Send),
    ) -> Result<(), WatchError> {
        let mut failures: u32 = 0;
        loop {
            let wait = match self.look(say).await {
                Ok(_) => {
                    failures = 0;
                    interval
                }
                Err(error) if error.may_pass() => {
                    failed(&error);
                    failures = failures.saturating_add(1);
                    Duration::from_secs(1 << failures.saturating_sub(1).min(6)).min(WAIT_MAX)
                }
                Err(error) => return Err(error),
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Looks at the log once, and keeps what it may keep: nothing after an error.
    pub async fn look(&mut self, say: &mut Say<'_>) -> Result<Look, WatchError> {
        let source = SiteSource::new(&self.url, &LogTrust::default()).await?;
        let (policy, note) = (self.options.policy.clone(), source.note().clone());
        let (mut standing, mut alarms) = (Vec::new(), 0);
        match policy.judge(&note) {
            Err(why) => {
                let next = named_by_known(&policy, &source);
                standing.push(Alarm::Policy { why: format!("{why}{next}") });
            }
            Ok(judgement) => {
                if judgement.quorum == QuorumStatus::NotWitnessed {
                    let why = "fewer witnesses cosigned it than it asks for".to_owned();
                    standing.push(Alarm::Policy { why });
                }
                match self.grown(source, &note, judgement.checkpoint.clone(), say).await? {
                    Ok(found) => alarms += found,
                    Err(contradiction) => standing.push(contradiction),
                }
                standing.extend(self.late(&judgement));
            }
        }
        let before = Moment::from_micros(self.system.now().micros().saturating_sub(micros(self.options.stale)));
        if let (Some(kept), Ok(before)) = (&self.kept, before) {
            standing.extend(kept.log.stale(before));
        }
        let mut said = BTreeSet::new();
        for alarm in standing {
            let line = alarm.to_string();
            if !self.said.contains(&line) {
                say(&alarm).map_err(WatchError::Output)?;
            }
            alarms += 1;
            said.insert(line);
        }
        self.said = said;
        let matches = self.kept.as_ref().map_or(0, |kept| kept.log.match_count());
        Ok(Look { tree: self.kept.as_ref().map(WatchState::tree), matches, alarms })
    }

    /// Reads what the log has more than the kept tree, says what was found there, and keeps it. Returns the number of
    /// alarms, or that of a checkpoint that cannot be kept.
    async fn grown(
        &mut self,
        source: SiteSource,
        note: &Note,
        checkpoint: Checkpoint,
        say: &mut Say<'_>,
    ) -> Result<Result<usize, Alarm>, WatchError> {
        let lines = match source.successions() {
            Ok(lines) => lines.clone(),
            Err(why) => return Ok(Err(Alarm::Succession { why: why.clone() })),
        };
        if let Some(second) = lines.first()
            && let Some(first) = known_log(&self.options.policy, &second.before)
            && let Err(why) = second.is_named_by(first)
        {
            return Ok(Err(Alarm::Succession { why }));
        }
        let signed = checkpoint.tree();
        let same = |kept: &&mut WatchState| kept.tree() == signed && kept.checkpoint.origin() == checkpoint.origin();
        if let Some(kept) = self.kept.as_mut().filter(same) {
            // There may be more cosignatures on it by now.
            let note = note.to_string();
            if kept.note != note {
                kept.note = note;
                self.folder.write(kept)?;
            }
            return Ok(Ok(0));
        }
        let (mut start, term) = match self.start(&source, &checkpoint, &lines)? {
            Ok(start) => start,
            Err(fork) => return Ok(Err(self.forked(&fork, signed, note)?)),
        };
        start.log.later_host_keys = lines.iter().map(|line| (line.common.size, line.host.to_base64())).collect();
        if signed.size < start.size {
            return Ok(Err(Alarm::Smaller { kept: start.size, signed: signed.size }));
        }
        let Growth { tree, log, alarms, .. } = match self.read(source, start, signed).await? {
            Ok(read) => read,
            Err(fork) => return Ok(Err(self.forked(&fork, signed, note)?)),
        };
        let alarms = alarms.into_list();
        for alarm in &alarms {
            say(alarm).map_err(WatchError::Output)?;
        }
        tree.sync().map_err(|error| self.folder.io(error))?;
        let kept = WatchState { checkpoint, note: note.to_string(), seen: self.system.now(), term, log };
        self.folder.write(&kept)?;
        self.kept = Some(kept);
        Ok(Ok(alarms.len()))
    }

    fn start(
        &self,
        source: &SiteSource,
        checkpoint: &Checkpoint,
        lines: &[Succession],
    ) -> Result<Result<(Growth, u32), String>, WatchError> {
        let io = |error| self.folder.io(error);
        let begun = |term: u32, alarms| {
            let tree = self.folder.tree(term).map_err(io)?;
            Ok(Ok((Growth { tree, size: TreeSize(0), log: LogState::default(), alarms }, term)))
        };
        let Some(kept) = &self.kept else { return begun(0, Alarms::default()) };
        let (first, name) = (source.origin().as_str(), kept.checkpoint.origin().as_str());
        if name != first && name.strip_prefix(first).is_none_or(|rest| !rest.starts_with('/')) {
            return Err(WatchError::AnotherLog { kept: name.to_owned(), found: first.to_owned() });
        }
        let (tree, size) = (self.folder.tree(kept.term).map_err(io)?, kept.tree().size);
        let renamed = checkpoint.origin() != kept.checkpoint.origin();
        // Every name since the kept one, of which each may have lost entries.
        let since: Vec<&Succession> = lines.iter().skip_while(|line| line.before != name).collect();
        if renamed && since.is_empty() {
            return Ok(Err(format!("it is of {}, and the log went on as {name}", checkpoint.origin())));
        }
        let common = since.iter().map(|line| line.common).min_by_key(|common| common.size).filter(|_| renamed);
        let mut alarms = Alarms::default();
        for line in since.iter().filter(|line| !line.is_named()) {
            alarms.add(Alarm::Unnamed { key: line.key.clone(), before: line.before.clone() });
        }
        let signed = Some(checkpoint.tree()).filter(|_| !renamed);
        for (named, what) in [(common, "the tree that both names share"), (signed, "it")] {
            let Some(named) = named.filter(|named| named.size <= size) else { continue };
            let due = tree.root(named.size).map_err(io)?;
            if due != Some(named.root) {
                let due = due.map_or("none".to_owned(), |root| root.to_base64());
                return Ok(Err(format!("at {} entries {what} has not the kept root {due}", named.size)));
            }
        }
        if let Some(common) = common.filter(|common| common.size < size) {
            alarms.add(Alarm::Lost { name: checkpoint.origin().clone(), common: common.size, kept: size });
            return begun(kept.term.saturating_add(1), alarms);
        }
        Ok(Ok((Growth { tree, size, log: kept.log.clone(), alarms }, kept.term)))
    }

    /// Reads the entries up to a signed tree; or the reason why it is not the tree of what was kept and read.
    async fn read(
        &self,
        mut source: SiteSource,
        mut growth: Growth,
        signed: Tree,
    ) -> Result<Result<Growth, String>, WatchError> {
        source.skip_to(LeafIndex(growth.size.0));
        while growth.size < signed.size
            && let Some(page) = source.page().await?
        {
            let keys = self.options.keys.clone();
            let read = tokio::task::spawn_blocking(move || growth.page(page, &keys)).await;
            match read.map_err(io::Error::other).map_err(SourceError::from)?.map_err(SourceError::from)? {
                Ok(read) => growth = read,
                Err(index) => return Ok(Err(format!("the entry at position {index} has other bytes than before"))),
            }
        }
        let root = growth.tree.root(growth.size).map_err(|error| self.folder.io(error))?;
        if (growth.size, root) != (signed.size, Some(signed.root)) {
            let root = root.map_or("none".to_owned(), |root| root.to_base64());
            return Ok(Err(format!("the {} entries that are served give the root {root}", growth.size)));
        }
        Ok(Ok(growth))
    }

    fn forked(&self, why: &str, signed: Tree, note: &Note) -> Result<Alarm, WatchError> {
        let place = self.folder.write_fork(signed, &note.to_string())?;
        let kept = self.kept.as_ref().map_or_else(Tree::empty, WatchState::tree);
        Ok(Alarm::Fork { kept, signed, why: format!("{why}. It is in {}", place.display()) })
    }

    /// The newest tree by the witnesses' clocks, or else by this machine's.
    fn late(&self, judgement: &Judgement<'_>) -> Option<Alarm> {
        let limit = self.options.late?;
        let cosigned = judgement.cosigned.iter().filter_map(|cosigned| Moment::try_from(cosigned.at).ok()).max();
        let seen = self.kept.as_ref().filter(|kept| kept.tree() == judgement.checkpoint.tree()).map(|kept| kept.seen);
        let (since, clock) = match cosigned {
            Some(at) => (at, "by its witnesses' clocks"),
            None => (seen?, "by this machine's clock"),
        };
        let size = judgement.checkpoint.tree().size;
        let age = self.system.now().micros().saturating_sub(since.micros());
        (age > micros(limit)).then_some(Alarm::Late { size, since, clock })
    }
}

fn known_log<'p>(policy: &'p Policy, name: &str) -> Option<&'p VerifierKey> {
    policy.logs().iter().map(|log| &log.key).find(|key| key.name().as_str() == name)
}

/// Half a sentence where the log goes on under a key that the policy does not have, and a key that it has named that.
fn named_by_known(policy: &Policy, source: &SiteSource) -> String {
    let lines = source.successions().map(Vec::as_slice).unwrap_or_default();
    let named = lines.iter().find(|line| {
        let is_new = known_log(policy, line.key.name().as_str()).is_none();
        is_new && known_log(policy, &line.before).is_some_and(|before| line.is_named_by(before) == Ok(true))
    });
    named.map_or_else(String::new, |line| {
        format!(
            ". The key of {}, which it has, named the next one: {}. Ask the operator, and add its line",
            line.before, line.key
        )
    })
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
