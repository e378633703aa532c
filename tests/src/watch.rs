//! A monitor follows a log for good, and says what contradicts what it saw.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::system::System;
use audit::watch::{Alarm, FolderError, Look, Watch, WatchError, WatchOptions, WatchedKey};
use ledger::ed25519::SecretKey;
use ledger::{Author, CosignedAt, Draft, Entry, Hash, Head, Kind, MatchId, Moment, PlayerKey, Policy, Tree, leaf_hash};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::log::{a_match, grown, remark, signed};
use crate::program::binary;
use crate::served_log::{ORIGIN, ServedLog, key};
use crate::site::{START, Site};
use crate::witness::witness_key;

/// A monitor, its folder, and the time by its clock.
pub(crate) struct Monitor {
    folder: TempDir,
    system: Arc<System>,
    options: WatchOptions,
}

pub(crate) fn player(seed: u8) -> Result<PlayerKey> {
    Ok(PlayerKey::new(SecretKey::from_seed(&[seed; 32]).public().bytes())?)
}

impl Monitor {
    pub(crate) fn of(policy: &str) -> Result<Self> {
        let options = WatchOptions {
            policy: Policy::read(policy.as_bytes())?,
            late: None,
            stale: Duration::from_secs(30 * 24 * 60 * 60),
            keys: vec![WatchedKey { name: "Ada".to_owned(), key: player(5)? }],
        };
        let system = Arc::new(System::seeded("a monitor", START.parse()?));
        Ok(Self { folder: tempfile::tempdir()?, system, options })
    }

    /// Has another policy from now on.
    pub(crate) fn knows(&mut self, policy: &str) -> Result<()> {
        self.options.policy = Policy::read(policy.as_bytes())?;
        Ok(())
    }

    fn served() -> Result<Self> {
        Self::of(&format!("log {}\nquorum none\n", key(ORIGIN).verifier()))
    }

    /// Opens it once nobody else has its folder: the programs that other tests start have this process's files until
    /// they begin.
    async fn open(&self, address: &str) -> Result<Watch, WatchError> {
        loop {
            match self.opened(address) {
                Err(WatchError::Folder(FolderError::InUse(_))) => tokio::task::yield_now().await,
                opened => return opened,
            }
        }
    }

    fn opened(&self, address: &str) -> Result<Watch, WatchError> {
        Watch::open(address, self.options.clone(), self.folder.path(), self.system.clone())
    }

    /// Looks once, as after a restart, and returns what was said.
    pub(crate) async fn look(&self, address: &str) -> Result<Vec<String>> {
        let (_, said) = looked(&mut self.open(address).await?).await?;
        Ok(said)
    }
}

async fn looked(watch: &mut Watch) -> Result<(Look, Vec<String>), WatchError> {
    let mut said = Vec::new();
    let look = watch
        .look(&mut |alarm: &Alarm| {
            said.push(alarm.to_string());
            Ok(())
        })
        .await?;
    Ok((look, said))
}

/// A match of the tests' own: only its chain matters here.
pub(crate) struct Chain {
    match_id: MatchId,
    head: Head,
    at: Moment,
}

impl Chain {
    pub(crate) fn new(number: u8) -> Result<Self> {
        let match_id = format!("0197c5a4-6f1e-7000-8000-0000000000{number:02x}").parse()?;
        Ok(Self { match_id, head: Head::GENESIS, at: START.parse()? })
    }

    pub(crate) fn add(&mut self, kind: Kind, by: Author, body: String) -> Result<Vec<u8>> {
        let line = Draft { at: self.at, by, kind, body }.write(self.match_id, self.head.next, self.head.leaf)?;
        self.head = Head { next: self.head.next.next().context("a number")?, leaf: line.leaf() };
        Ok(line.into_bytes())
    }

    fn opens(&mut self, host: &PlayerKey) -> Result<Vec<u8>> {
        let (some, umpire) = (Hash::new([4; 32]), "umpire:k3x9".parse()?);
        let body = format!(
            r#"{{"mode":"live","ruleset":"x","options":{{}},"rules":2,"program":"x","names":{{"p1":"{some}","p2":"{some}"}},"event":null,"date":null,"dmo":null,"items":{{"p1":[],"p2":[]}},"tags":[],"host_key":"{host}"}}"#
        );
        self.add(Kind::Opened, umpire, body)
    }

    fn notes(&mut self, n: usize) -> Result<Vec<u8>> {
        let text = leaf_hash(&n.to_be_bytes());
        self.add(Kind::Noted, "umpire:k3x9".parse()?, format!(r#"{{"text":"{text}"}}"#))
    }

    fn ends(&mut self) -> Result<Vec<u8>> {
        let body = r#"{"result":"p1","reason":"conceded","steps":0}"#.to_owned();
        self.add(Kind::Ended, "umpire:k3x9".parse()?, body)
    }

    /// The shares of its draws are open.
    fn seeds(&mut self, tree: Tree) -> Result<Vec<u8>> {
        let (size, root) = (tree.size, tree.root);
        let body = format!(
            r#"{{"purpose":"openings","ordinal":0,"listed":0,"openings":[],"came":{{"p1":null,"p2":null}},"signatures":{{"p1":null,"p2":null}},"tree":{{"size":{size},"root":"{root}"}}}}"#
        );
        self.add(Kind::Drawn, Author::Host, body)
    }

    fn resolves(&mut self, tree: Tree) -> Result<Vec<u8>> {
        let (size, root, digest) = (tree.size, tree.root, Hash::ZERO);
        let body = format!(
            r#"{{"decision":"d1","step":1,"dmn":"x","counted":{{"p1":null,"p2":null}},"openings":[],"tree":{{"size":{size},"root":"{root}"}},"digest":"{digest}"}}"#
        );
        self.add(Kind::Resolved, Author::Server, body)
    }
}

/// A log of a match with this many remarks.
async fn served(remarks: usize) -> Result<(ServedLog, Chain)> {
    let (log, mut chain) = (ServedLog::start().await?, Chain::new(1)?);
    let mut entries = vec![chain.opens(&player(11)?)?];
    for n in 0..remarks {
        entries.push(chain.notes(n)?);
    }
    log.grows(entries);
    Ok((log, chain))
}

#[tokio::test]
async fn a_site_is_followed_across_restarts_and_nothing_is_said() -> Result<()> {
    let site = Site::start().await?;
    let policy = site.app.public_log.policy_text().to_owned();
    let key = policy.lines().next().context("the log's key")?;
    let monitor = Monitor::of(&format!("{key}\nquorum none\n"))?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 3).await?;
    let mut size = u64::from(head.next.0);
    for more in [40, 300, 300] {
        signed(&site, size).await?;
        let mut watch = monitor.open(&site.address).await?;
        for _ in 0..2 {
            let (look, said) = looked(&mut watch).await?;
            assert_eq!(said, Vec::<String>::new());
            ensure!(look.tree.is_some_and(|tree| tree.size.0 >= size), "{look:?}");
        }
        ensure!(matches!(monitor.opened(&site.address), Err(WatchError::Folder(FolderError::InUse(_)))));
        size = grown(&site, size + more).await?.0;
    }
    // The copy of the checkpoint is one that an audit takes.
    signed(&site, size).await?;
    ensure!(monitor.look(&site.address).await?.is_empty());
    let file = monitor.folder.path().join("checkpoint");
    let text = monitor.folder.path().join("policy");
    std::fs::write(&text, format!("{key}\nquorum none\n"))?;
    let run = async |arguments: &[&str]| -> Result<(Option<i32>, String)> {
        let done = tokio::process::Command::new(binary()?).args(arguments).output().await?;
        Ok((done.status.code(), String::from_utf8(done.stdout)? + &String::from_utf8(done.stderr)?))
    };
    let path = |path: &Path| path.display().to_string();
    let known = key.trim_start_matches("log ");
    let (code, said) = run(&["audit", &site.address, "--log-key", known, "--checkpoint", &path(&file)]).await?;
    ensure!(code == Some(0), "{said}");
    let [text, folder] = [path(&text), path(monitor.folder.path())];
    let once = ["watch", &site.address, "--policy", &text, "--keep", &folder, "--once"];
    let (code, said) = run(&once).await?;
    ensure!(code == Some(0) && said.starts_with("seen: ") && said.contains("nothing to say"), "{said}");
    let gone = ["watch", "http://127.0.0.1:1", "--policy", &text, "--keep", &folder, "--once"];
    let (code, said) = run(&gone).await?;
    ensure!(code == Some(2) && said.starts_with("unread: "), "{code:?} {said}");
    Ok(())
}

#[tokio::test]
async fn a_fork_is_said_and_kept_as_proof_however_often_the_monitor_starts() -> Result<()> {
    let (log, _) = served(300).await?;
    let monitor = Monitor::served()?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    let kept = std::fs::read(monitor.folder.path().join("checkpoint"))?;
    let (mut other, mut entries) = (Chain::new(1)?, Vec::new());
    entries.push(other.opens(&player(11)?)?);
    for n in 0..300 {
        entries.push(other.notes(if n < 280 { n } else { n + 1 })?);
    }
    // Of the same size, larger with the entries of the fork, larger with those that were kept, and smaller.
    let honest = log.change(|content| content.entries.clone());
    let more: Vec<Vec<u8>> = (0..40).map(|n| other.notes(n)).collect::<Result<_>>()?;
    let longer = [entries.clone(), more.clone()].concat();
    let spliced = [honest.clone(), more].concat();
    for (signed, served) in
        [(&entries, &entries), (&longer, &longer), (&longer, &spliced), (&entries[..290].to_vec(), &entries)]
    {
        log.change(|content| {
            content.entries.clone_from(signed);
            content.sign();
            content.entries.clone_from(served);
        });
        for _ in 0..2 {
            let said = monitor.look(&log.address).await?;
            ensure!(said.len() == 1 && said[0].starts_with("fork: "), "{said:?}");
        }
        assert_eq!(std::fs::read(monitor.folder.path().join("checkpoint"))?, kept, "the kept one stays");
    }
    let proofs = std::fs::read_dir(monitor.folder.path())?.filter_map(|file| file.ok()?.file_name().into_string().ok());
    assert_eq!(proofs.filter(|name| name.starts_with("fork-")).count(), 3);
    // A smaller checkpoint of the same log is no fork.
    log.change(|content| {
        content.entries = honest[..200].to_vec();
        content.sign();
    });
    let said = monitor.look(&log.address).await?;
    assert_eq!(said, ["smaller: the checkpoint has 200 entries, and the kept one has 301"]);
    log.change(|content| {
        content.entries.clone_from(&honest);
        content.sign();
    });
    ensure!(monitor.look(&log.address).await?.is_empty(), "and the honest log is followed as before");
    Ok(())
}

#[tokio::test]
async fn what_entries_contradict_is_said_once() -> Result<()> {
    let (log, mut chain) = served(3).await?;
    let monitor = Monitor::served()?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    let tree = |size: usize| {
        log.change(|content| content.entries[..size].iter().map(|entry| leaf_hash(entry)).collect::<ledger::Frontier>())
            .tree()
    };
    let (honest, false_root) = (chain.resolves(tree(3))?, chain.resolves(Tree { root: Hash::ZERO, ..tree(3) })?);
    let future = chain.resolves(Tree { size: ledger::TreeSize(900), ..tree(3) })?;
    let (mut again, mut other, mut third) = (Chain::new(1)?, Chain::new(2)?, Chain::new(3)?);
    let (second, elsewhere) = (again.opens(&player(11)?)?, other.opens(&player(12)?)?);
    let registered = other.add(Kind::Key, Author::P2, format!(r#"{{"seat":"p2","key":"{}"}}"#, player(5)?))?;
    let stranger = other.add(Kind::Key, Author::P1, format!(r#"{{"seat":"p1","key":"{}"}}"#, player(6)?))?;
    third.opens(&player(11)?)?;
    let headless = third.notes(1)?;
    other.at = Moment::MIN;
    let backwards = other.notes(2)?;
    let gap = {
        chain.head.next = ledger::Seq(9);
        chain.notes(5)?
    };
    log.grows([
        honest,
        false_root,
        future,
        second,
        elsewhere,
        registered,
        stranger,
        headless,
        backwards,
        gap,
        b"{}".to_vec(),
    ]);
    let said = monitor.look(&log.address).await?;
    let expected = [
        "root: match 0197c5a4-6f1e-7000-8000-000000000001, entry 5 names a tree of 3 entries with root AAAA",
        "root: match 0197c5a4-6f1e-7000-8000-000000000001, entry 6 names a tree of 900 entries with root ",
        "second chain: match 0197c5a4-6f1e-7000-8000-000000000001 begins at position 0, and again at position 7",
        "host key: match 0197c5a4-6f1e-7000-8000-000000000002 names ",
        "key: the key of Ada was registered for p2 in match 0197c5a4-6f1e-7000-8000-000000000002, entry 1",
        "chain: match 0197c5a4-6f1e-7000-8000-000000000003, entry 1: the match begins with it",
        "chain: match 0197c5a4-6f1e-7000-8000-000000000002, entry 3: it is dated before the entry before it",
        "chain: match 0197c5a4-6f1e-7000-8000-000000000001, entry 9: entry 7 comes next",
        "entry: position 14 holds no entry: ",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        ensure!(said.starts_with(expected), "{said}\n{expected}");
    }
    ensure!(monitor.look(&log.address).await?.is_empty(), "it was said");
    Ok(())
}

#[tokio::test]
async fn what_is_not_kept_is_read_again_and_said_again() -> Result<()> {
    let (log, mut chain) = served(300).await?;
    let monitor = Monitor::served()?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    log.grows([Chain::new(1)?.opens(&player(11)?)?, chain.notes(400)?]);
    // The output breaks, as in a crash: before the state is kept, and after some hashes are written.
    let broken =
        monitor.open(&log.address).await?.look(&mut |_: &Alarm| Err(std::io::ErrorKind::BrokenPipe.into())).await;
    ensure!(matches!(broken, Err(WatchError::Output(_))), "{broken:?}");
    // A crash while the tree or the next state is written.
    let tree = monitor.folder.path().join("tree.0");
    let mut hashes = std::fs::read(&tree)?;
    hashes.truncate(hashes.len() - 20);
    std::fs::write(&tree, hashes)?;
    std::fs::write(monitor.folder.path().join("statexyz.new"), "{\"matchbook\"")?;
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("second chain: "), "{said:?}");
    ensure!(monitor.look(&log.address).await?.is_empty());
    // What was kept and is damaged is said, and not guessed.
    std::fs::write(&tree, [1; 640])?;
    let damaged = monitor.open(&log.address).await.err().context("an error")?.to_string();
    ensure!(damaged.contains("is damaged: the hashes of the tree are not those of its checkpoint"), "{damaged}");
    let state = monitor.folder.path().join("state");
    let whole = std::fs::read_to_string(&state)?;
    std::fs::write(&state, whole.lines().next().context("a line")?)?;
    let damaged = monitor.open(&log.address).await.err().context("an error")?.to_string();
    ensure!(damaged.contains("its state has 0 matches, not 1"), "{damaged}");
    Ok(())
}

#[tokio::test]
async fn whenever_it_is_killed_every_alarm_is_said() -> Result<()> {
    let (log, mut chain) = served(300).await?;
    let monitor = Monitor::served()?;
    let policy = monitor.folder.path().join("policy");
    std::fs::write(&policy, format!("log {}\nquorum none\n", key(ORIGIN).verifier()))?;
    let keep = monitor.folder.path().join("kept");
    for n in 0..12 {
        let position = log.change(|content| content.entries.len());
        log.grows([Chain::new(1)?.opens(&player(11)?)?, chain.notes(500 + n)?]);
        let mut command = tokio::process::Command::new(binary()?);
        command.arg("watch").arg(&log.address).arg("--policy").arg(&policy).arg("--keep").arg(&keep);
        let mut child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("its output")?).lines();
        // It is killed as soon as the alarm is said: at that time its state is being written.
        let said = format!("again at position {position}");
        while !lines.next_line().await?.context("the monitor ended")?.ends_with(&said) {}
        child.kill().await?;
    }
    let mut command = tokio::process::Command::new(binary()?);
    command.arg("watch").arg(&log.address).arg("--policy").arg(&policy).arg("--keep").arg(&keep).arg("--once");
    let done = command.output().await?;
    let said = String::from_utf8(done.stdout)?;
    ensure!(said.contains("seen: 325 entries of 1 matches; "), "{said}");
    Ok(())
}

#[tokio::test]
async fn policy_age_and_matches_that_never_end() -> Result<()> {
    let (log, mut chain) = served(3).await?;
    let witness = witness_key("witness.example/w");
    let line = key(ORIGIN).verifier().to_string();
    let mut monitor = Monitor::of(&format!("log {line}\nwitness w {}\nquorum w\n", witness.verifier()))?;
    monitor.options.late = Some(Duration::from_secs(3_600));
    let fewer = "policy: the checkpoint does not satisfy it: fewer witnesses cosigned it than it asks for";
    assert_eq!(monitor.look(&log.address).await?, [fewer]);
    let mut note = log.checkpoint()?;
    let at = CosignedAt::from(START.parse::<Moment>()?);
    note.add(witness.cosign(note.text(), at))?;
    log.change(|content| content.checkpoint = note.to_string().into());
    ensure!(monitor.look(&log.address).await?.is_empty());
    // An hour later it is late, and a month later the match is stale. Each is said once while it stays so.
    let mut watch = monitor.open(&log.address).await?;
    monitor.system.pass(Duration::from_secs(3_601));
    let (look, said) = looked(&mut watch).await?;
    ensure!(
        look.alarms == 1 && said.len() == 1 && said[0].starts_with("late: the newest tree has 4 entries"),
        "{said:?}"
    );
    let (look, said) = looked(&mut watch).await?;
    ensure!(look.alarms == 1 && said.is_empty(), "{said:?}");
    monitor.options.late = None;
    drop(watch);
    monitor.system.pass(Duration::from_secs(30 * 24 * 60 * 60));
    let said = monitor.look(&log.address).await?;
    let stale = format!("stale: match {} was opened on {START}, and has not ended", chain.match_id);
    assert_eq!(said, [stale]);
    log.grows([chain.ends()?]);
    assert_eq!(monitor.look(&log.address).await?, [fewer]);
    // Another log, and one that nobody signed, are not followed.
    let unknown = Monitor::of(&format!("log {}\nquorum none\n", key("example.com/other").verifier()))?;
    let said = unknown.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].contains("the policy does not know the log"), "{said:?}");
    log.change(|content| {
        let at = content.checkpoint.len() - 8;
        content.checkpoint[at] = if content.checkpoint[at] == b'A' { b'B' } else { b'A' };
    });
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("policy: "), "{said:?}");
    Ok(())
}

/// A host that dislikes what it would draw could give the match up.
#[tokio::test]
async fn matches_that_were_seeded_and_never_ended_are_listed() -> Result<()> {
    let (log, mut chain) = served(3).await?;
    let monitor = Monitor::served()?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    let mut other = Chain::new(2)?;
    let tree = ledger::Checkpoint::read(log.checkpoint()?.text())?.tree();
    log.grows([chain.seeds(tree)?, other.opens(&player(11)?)?]);
    ensure!(monitor.look(&log.address).await?.is_empty());
    monitor.system.pass(Duration::from_secs(31 * 24 * 60 * 60));
    let seeded = format!(
        "seeded: match {} was opened on {START}, its draws were fixed, and it has not ended: the host knew what it would draw",
        chain.match_id
    );
    let stale = format!("stale: match {} was opened on {START}, and has not ended", other.match_id);
    assert_eq!(monitor.look(&log.address).await?, [seeded, stale]);
    log.grows([chain.ends()?, other.ends()?]);
    ensure!(monitor.look(&log.address).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_hostile_server_gives_errors_and_nothing_is_kept() -> Result<()> {
    let (log, mut chain) = served(300).await?;
    let monitor = Monitor::served()?;
    let tree = || std::fs::metadata(monitor.folder.path().join("state"));
    let bundle = "tile/entries/001.p/45";
    let honest = log.change(|content| content.checkpoint.clone());
    let huge = {
        let tree = Tree { size: ledger::TreeSize(u64::MAX), root: Hash::ZERO };
        ledger::Checkpoint::new(ORIGIN.parse::<ledger::OriginLine>()?, tree).sign(&key(ORIGIN)).to_string()
    };
    let answers: [(&str, Option<Vec<u8>>); 6] = [
        (bundle, None),
        (bundle, Some(vec![0xff; 70_000])),
        (bundle, Some(Vec::new())),
        ("checkpoint", Some(b"no note".to_vec())),
        ("checkpoint", Some(huge.into_bytes())),
        ("tile/0/000", Some(vec![1; 31])),
    ];
    for (path, answer) in answers {
        log.change(|content| match answer {
            None => content.missing.push(path.to_owned()),
            Some(answer) => content.other.push((path.to_owned(), answer)),
        });
        let error = monitor.look(&log.address).await;
        let error = error.err().with_context(|| format!("{path} is refused"))?.to_string();
        ensure!(error.contains(&log.address), "{error}");
        ensure!(tree().is_err(), "{path}: nothing is kept");
        log.change(|content| (content.missing, content.other) = (Vec::new(), Vec::new()));
    }
    // A tile with other hashes is said, and the entries count.
    log.change(|content| content.other.push(("tile/0/000".to_owned(), vec![1; 256 * 32])));
    let said = monitor.look(&log.address).await?;
    assert_eq!(said, ["tile: tile 0 of level 0 does not hold the hashes of its entries"]);
    ensure!(log.change(|content| content.checkpoint == honest) && tree().is_ok());
    // The folder is that of this log.
    log.grows([chain.notes(7)?]);
    let policy = format!("log {}\nquorum none\n", key("example.com/other").verifier());
    let mut other = Monitor::of(&policy)?;
    other.folder = monitor.folder;
    log.change(|content| {
        let tree = Tree { size: ledger::TreeSize(0), root: Tree::empty().root };
        let origin: ledger::OriginLine = "example.com/other".parse().expect("an origin");
        content.checkpoint = ledger::Checkpoint::new(origin, tree).sign(&key("example.com/other")).to_string().into();
    });
    let error = other.look(&log.address).await.err().context("another log")?.to_string();
    ensure!(error.contains("the folder keeps the log example.com/served, and this is example.com/other"), "{error}");
    let entry = log.change(|content| Entry::read(&content.entries[0]))?;
    ensure!(entry.kind == Kind::Opened);
    Ok(())
}
