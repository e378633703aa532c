//! A log that goes on under a later name: what an audit and a monitor say where it does not say from where.

use anyhow::{Result, ensure};
use app::audit::{Kept, Source, audit};
use app::keys::Keys;
use app::signing::plan;
use app::system::System;
use ledger::{Checkpoint, Hash, KeyName, LogId, Note, Origin, OriginLine, Tree, TreeSize};
use sqlx::{Executor, PgConnection, query};
use store::succeed;

use crate::audit_site::{audits, opening};
use crate::histories::{once, signing};
use crate::log::{a_match, signed};
use crate::served_log::{ORIGIN, ServedLog, key};
use crate::site::Site;
use crate::watch::{Chain, Monitor, player};

/// A checkpoint of this tree under a name of the log, with these further lines.
fn checkpoint(origin: &str, tree: Tree, lines: &[String]) -> Result<Checkpoint> {
    let text = format!("{origin}\n{}\n{}\n", tree.size, tree.root.to_base64());
    let text = lines.iter().fold(text, |text, line| text + line + "\n");
    Ok(Checkpoint::read(&text.parse()?)?)
}

fn succeeds(origin: &str, tree: Tree) -> String {
    format!("succeeds {origin} {} {}", tree.size, tree.root.to_base64())
}

/// What a served log of two entries may sign under a name, with the words that an audit says of it.
fn cases(first: Tree, tree: Tree) -> Vec<(&'static str, String, Vec<String>, &'static str)> {
    let name = |number: u32| format!("{ORIGIN}/{number}");
    let root = Hash::new([7; 32]);
    let good = succeeds(ORIGIN, first);
    vec![
        ("no line", name(2), vec![], "it has not one succeeds line that names example.com/served"),
        ("two lines", name(2), vec![good.clone(), good.clone()], "it has not one succeeds line"),
        (
            "a second line with a root that never was",
            name(2),
            vec![good.clone(), succeeds(ORIGIN, Tree { root, ..first })],
            "it has not one succeeds line",
        ),
        ("another log before it", name(2), vec![succeeds("example.com/other", first)], "names example.com/other"),
        ("a term that is left out", name(3), vec![good.clone()], "its log was example.com/served/2"),
        ("a first name", ORIGIN.to_owned(), vec![good], "a log's first name succeeds none"),
        ("a line that does not read", name(2), vec!["succeeds it".to_owned()], "is no origin, size and root"),
        (
            "a larger tree",
            name(2),
            vec![succeeds(ORIGIN, Tree { size: TreeSize(9), ..tree })],
            "names a larger tree than its own",
        ),
        ("another root", name(2), vec![succeeds(ORIGIN, Tree { root, ..tree })], "names another root than its own"),
        (
            "a root that never was",
            name(2),
            vec![succeeds(ORIGIN, Tree { root, ..first })],
            "the succeeds line of 1 entries names the root",
        ),
        (
            "a root of the empty tree",
            name(2),
            vec![succeeds(ORIGIN, Tree { root, ..Tree::empty() })],
            "names a root for the empty tree",
        ),
    ]
}

/// A served log with two matches, the tree of the first, and that of both.
async fn log_of_two() -> Result<(ServedLog, Tree, Tree)> {
    let log = ServedLog::start().await?;
    let host = player(11)?;
    let tree = |log: &ServedLog| Ok::<_, anyhow::Error>(Checkpoint::read(log.checkpoint()?.text())?.tree());
    log.grows([opening(&mut Chain::new(1)?, &host)?]);
    let first = tree(&log)?;
    log.grows([opening(&mut Chain::new(2)?, &host)?]);
    let both = tree(&log)?;
    Ok((log, first, both))
}

fn serves(log: &ServedLog, origin: &str, checkpoint: &Checkpoint) {
    log.change(|content| content.checkpoint = checkpoint.sign(&key(origin)).to_string().into());
}

#[tokio::test]
async fn an_audit_of_a_site_judges_where_a_later_name_goes_on_from() -> Result<()> {
    let (log, first, tree) = log_of_two().await?;
    let later = format!("{ORIGIN}/2");
    serves(&log, &later, &checkpoint(&later, tree, &[succeeds(ORIGIN, first)])?);
    let (good, said) = audits(&log.address, &["--log-key", &key(&later).verifier().to_string()]).await?;
    ensure!(good, "{said}");
    for (what, origin, lines, expected) in cases(first, tree) {
        serves(&log, &origin, &checkpoint(&origin, tree, &lines)?);
        let (good, said) = audits(&log.address, &["--log-key", &key(&origin).verifier().to_string()]).await?;
        ensure!(!good && said.contains(expected), "{what}: {said}");
    }
    Ok(())
}

#[tokio::test]
async fn a_monitor_says_that_a_later_name_goes_on_from_nowhere() -> Result<()> {
    let (log, first, tree) = log_of_two().await?;
    let later = format!("{ORIGIN}/2");
    let policy = |name: &str| format!("log {}\nquorum none\n", key(name).verifier());
    let mut monitor = Monitor::of(&policy(ORIGIN))?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    monitor.knows(&policy(&later))?;
    serves(&log, &later, &checkpoint(&later, tree, &[])?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("name: the checkpoint does not say where"), "{said:?}");
    serves(&log, &later, &checkpoint(&later, tree, &[succeeds(ORIGIN, first)])?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("lost: the log goes on as example.com/served/2 from 1"), "{said:?}");
    Ok(())
}

/// A site whose log goes on under its second name, as an operator has it with everything at hand.
struct Later {
    site: Site,
    keys: Keys,
    owner: PgConnection,
}

impl Later {
    async fn new() -> Result<Self> {
        let site = Site::start().await?;
        let (_, head) = a_match(&site.app, "one").await?;
        signed(&site, u64::from(head.next.0)).await?;
        let (keys, mut owner) = (Keys::open(site.data.path(), &System::real())?, site.owner().await?);
        let file = site.data.path().join("checkpoint");
        let planned = plan(site.app.logs.record(), keys.log(), file, System::real().now(), true).await?;
        ensure!(succeed(&mut owner, LogId(1), planned.seen, &planned.next).await?);
        let name = format!("{}/2", site.app.origin());
        let standing =
            once(&site, |now| now.signed.as_ref().is_some_and(|signed| signed.origin.as_str() == name)).await?;
        ensure!(standing.stopped.is_none());
        signing(&site.app).await?;
        Ok(Self { site, keys, owner })
    }

    async fn says(&self) -> Result<(bool, String)> {
        let scratch = tempfile::tempdir()?;
        let source = Source::database(self.site.app.logs.record().clone()).await?;
        let report = audit(source, Kept::default(), scratch.path()).await?;
        Ok((report.is_good(), report.to_string()))
    }

    /// Has the database keep this as the checkpoint of the second name.
    async fn keeps(&mut self, checkpoint: &Checkpoint, key: &OriginLine) -> Result<()> {
        let note = checkpoint.sign(&self.keys.log().named(key.as_str().parse::<KeyName>()?)).to_string();
        let done = query("update checkpoints set note = $1 where log_id = 1 and term = 1")
            .bind(note.into_bytes())
            .execute(&mut self.owner)
            .await?;
        ensure!(done.rows_affected() == 1, "{done:?}");
        Ok(())
    }
}

#[tokio::test]
async fn an_audit_of_a_database_judges_where_a_later_name_goes_on_from() -> Result<()> {
    let mut later = Later::new().await?;
    let (good, said) = later.says().await?;
    ensure!(good, "{said}");
    let note: Vec<u8> = sqlx::query_scalar("select note from checkpoints where log_id = 1 and term = 1")
        .fetch_one(&mut later.owner)
        .await?;
    let kept = Checkpoint::read(Note::read(&note)?.text())?;
    let first: Origin = later.site.app.origin().clone();
    let (name, tree) = (kept.origin().clone(), kept.tree());
    ensure!(name.as_str() == format!("{first}/2"));
    let twice = [succeeds(first.as_str(), tree), succeeds(first.as_str(), tree)];
    let empty = [succeeds(first.as_str(), Tree::empty())];
    for (lines, expected) in [
        (&[][..], "it has not one succeeds line"),
        (&twice, "it has not one succeeds line"),
        (&[succeeds("elsewhere", tree)], "names elsewhere"),
        (&empty, "the database keeps another tree as the one from which this name goes on"),
    ] {
        later.keeps(&checkpoint(name.as_str(), tree, lines)?, &name).await?;
        let (good, said) = later.says().await?;
        ensure!(!good && said.contains(expected), "{lines:?}: {said}");
    }
    later.keeps(&kept, &name).await?;
    ensure!(later.says().await?.0);
    for change in ["root = decode(repeat('07', 32), 'hex')", "origin = origin || '/2'"] {
        let update = format!("update successions set {change}");
        later.owner.execute(sqlx::AssertSqlSafe(update)).await?;
        let (good, said) = later.says().await?;
        ensure!(!good, "{change}: {said}");
    }
    Ok(())
}
