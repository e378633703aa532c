//! A log served by a site (C2SP tlog-tiles): its checkpoint, its bundles of entries, and its tiles.

use std::collections::VecDeque;
use std::time::Duration;

use ledger::note::Note;
use ledger::policy::QuorumStatus;
use ledger::tile::{EntryBundle, TileId, TileIndex, TilePath};
use ledger::{Checkpoint, LeafIndex, Origin, Policy, Tree, TreeSize, VerifierKey};
use record::succession::{Succession, successions};
use tokio::task::JoinHandle;

use super::source::{Line, LogTrust, Page, SignedTree, SourceError};
use super::tile_builder::Tile;
use app::fetch::{Fetch, FetchError, Limits};

const BUNDLES: u64 = 16;
const PAGE: u64 = BUNDLES * 256;
/// The largest possible bundle is a little under 17 MB.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 17 << 20 };

pub(super) struct SiteSource {
    fetch: Fetch,
    prefix: String,
    origin: Origin,
    term: u32,
    keys: Vec<VerifierKey>,
    tree: Tree,
    note: Note,
    successions: Result<Vec<Succession>, String>,
    signature: Result<(), String>,
    unchecked: Vec<String>,
    next: u64,
}

impl SiteSource {
    pub(super) async fn new(url: &str, trust: &LogTrust) -> Result<Self, SourceError> {
        let (fetch, prefix) = (Fetch::new(LIMITS), url.trim_end_matches('/').to_owned());
        let path = format!("{prefix}/checkpoint");
        let bytes = get(&fetch, path.clone()).await?;
        let unfit = |why: &dyn ToString| SourceError::Invalid { path: path.clone(), why: why.to_string() };
        let note = Note::read(&bytes).map_err(|why| unfit(&why))?;
        let checkpoint = Checkpoint::read(note.text()).map_err(|why| unfit(&why))?;
        let origin = checkpoint.origin().term().0.parse().map_err(|why| unfit(&why))?;
        let term = checkpoint.origin().term().1.unwrap_or(1);
        let successions = successions(&checkpoint, None);
        let known = trust.policy.iter().flat_map(Policy::logs).map(|log| log.key.clone());
        let later = successions.iter().flatten().map(|line| line.key.clone());
        let keys = trust.key.clone().into_iter().chain(known).chain(later).collect();
        let (signature, mut unchecked) = match trust {
            LogTrust { key: None, policy: None } => {
                (Ok(()), vec!["who signed the checkpoint: name the log's key with --log-key".to_owned()])
            }
            LogTrust { key: Some(key), policy: None } => {
                let opened = Checkpoint::open(&note, checkpoint.origin(), [key]);
                (opened.map(drop).map_err(|why| why.to_string()), Vec::new())
            }
            LogTrust { key, policy: Some(policy) } => (satisfies(&note, policy, key.as_ref()), Vec::new()),
        };
        let successions = successions.and_then(|lines| {
            unchecked.extend(named_by_first(&lines, &origin, trust)?);
            Ok(lines)
        });
        let tree = checkpoint.tree();
        Ok(Self { fetch, prefix, origin, term, keys, tree, note, successions, signature, unchecked, next: 0 })
    }

    pub(super) const fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(super) const fn term(&self) -> u32 {
        self.term
    }

    pub(super) fn log_keys(&self) -> &[VerifierKey] {
        &self.keys
    }

    pub(super) const fn successions(&self) -> Result<&Vec<Succession>, &String> {
        self.successions.as_ref()
    }

    pub(super) const fn size(&self) -> TreeSize {
        self.tree.size
    }

    pub(super) const fn note(&self) -> &Note {
        &self.note
    }

    pub(super) const fn skip_to(&mut self, entry: LeafIndex) {
        self.next = TileIndex::of(entry).first_leaf().0;
    }

    pub(super) async fn page(&mut self) -> Result<Option<Page>, SourceError> {
        let from = self.next;
        if from >= self.tree.size.0 && from > 0 {
            return Ok(None);
        }
        let to = (from + PAGE).min(self.tree.size.0);
        self.next = to.max(1);
        let last = to == self.tree.size.0;
        let mut page = Page::default();
        let bundles = (from / 256..to.div_ceil(256)).filter_map(|index| {
            let index = TileIndex(index);
            Some((index, index.width(self.tree.size.0)?))
        });
        let mut asked: VecDeque<_> =
            bundles.map(|(index, width)| (index, width, self.ask(TilePath::Entries { index, width }))).collect();
        // Partial tiles need to exist only for the checkpoint.
        let tiles = TileId::grown(TreeSize(from), TreeSize(to)).filter(|tile| last || tile.width.is_full());
        let mut tiles: VecDeque<_> = tiles.map(|tile| (tile, self.ask(TilePath::Hashes(tile)))).collect();
        while let Some((index, width, (path, answer))) = asked.pop_front() {
            let bytes = answered(answer).await?;
            let bundle =
                EntryBundle::read(width, &bytes).map_err(|why| SourceError::Invalid { path, why: why.to_string() })?;
            let first = index.first_leaf().0;
            let lines = bundle.entries().iter().zip(first..);
            page.lines.extend(lines.map(|(entry, at)| Line { index: LeafIndex(at), bytes: entry.to_vec(), row: None }));
        }
        while let Some((id, (path, answer))) = tiles.pop_front() {
            let bytes = answered(answer).await?;
            let tile = ledger::tile::Tile::read(id, &bytes)
                .map_err(|why| SourceError::Invalid { path, why: why.to_string() })?;
            page.tiles.push(Tile { level: id.level.get(), index: id.index.0, hashes: tile.hashes().to_vec() });
        }
        if last {
            let Tree { size, root } = self.tree;
            let signature = std::mem::replace(&mut self.signature, Ok(())).and(self.successions.clone().map(drop));
            page.signed.push(SignedTree { size, root, what: "the checkpoint", signed: true, signature });
            page.unchecked = std::mem::take(&mut self.unchecked);
        }
        Ok(Some(page))
    }

    fn ask(&self, path: TilePath) -> (String, JoinHandle<Result<Vec<u8>, SourceError>>) {
        let (fetch, path) = (self.fetch.clone(), format!("{}/{path}", self.prefix));
        (path.clone(), tokio::spawn(async move { get(&fetch, path).await }))
    }
}

fn named_by_first(lines: &[Succession], first: &Origin, trust: &LogTrust) -> Result<Vec<String>, String> {
    let known = trust.policy.iter().flat_map(Policy::logs).find(|log| log.key.name().as_str() == first.as_str());
    let mut said = Vec::new();
    if let Some(second) = lines.first() {
        match known {
            Some(log) => _ = second.is_named_by(&log.key)?,
            None if second.is_named() => {
                said.push(format!("whether the key of {first} named that of {}: no policy has it", second.key.name()));
            }
            None => {}
        }
    }
    let lost = lines.iter().filter(|line| !line.is_named());
    said.extend(lost.map(|line| {
        format!("whether {} is the log\u{2019}s: the key before it is said to be lost, and did not name it", line.key)
    }));
    Ok(said)
}

fn satisfies(note: &Note, policy: &Policy, key: Option<&VerifierKey>) -> Result<(), String> {
    let judgement = match key {
        Some(key) => policy.judge_as_of(note, [key]),
        None => policy.judge(note),
    };
    match judgement.map_err(|why| why.to_string())?.quorum {
        QuorumStatus::Witnessed => Ok(()),
        QuorumStatus::NotWitnessed => Err("fewer witnesses cosigned it than the policy asks for".to_owned()),
    }
}

async fn answered(answer: JoinHandle<Result<Vec<u8>, SourceError>>) -> Result<Vec<u8>, SourceError> {
    answer.await.map_err(std::io::Error::other)?
}

async fn get(fetch: &Fetch, path: String) -> Result<Vec<u8>, SourceError> {
    let answer = fetch.get(&path).await.map_err(|error| SourceError::Fetch { path: path.clone(), error })?;
    match answer.status.as_u16() {
        200 => Ok(answer.body.to_vec()),
        status => Err(SourceError::Fetch { path, error: FetchError::Unreachable(format!("it answers {status}")) }),
    }
}
