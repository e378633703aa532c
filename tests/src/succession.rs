//! A log that goes on under a later name, with other keys: what its readers, an audit and a monitor say.

use ::record::Bundle;
use ::record::succession::Succession;
use ::record::verify::{Check, Status, verify_by};
use anyhow::{Context, Result, ensure};
use app::keys::Keys;
use app::signing::{Plan, Reason, StopReason, begin_term, plan};
use app::system::System;
use audit::{Kept, LogTrust, Source, audit};
use ledger::{Checkpoint, Hash, KeyName, Note, Origin, OriginLine, Policy, SignerKey, Tree, TreeSize};
use reqwest::StatusCode;
use sqlx::{Executor, PgConnection, query};

use crate::audit_site::{audits, opening};
use crate::histories::{once, signing};
use crate::log::{a_match, signed};
use crate::program::command;
use crate::served_log::{ORIGIN, ServedLog};
use crate::site::Site;
use crate::watch::{Chain, Monitor, player};
use crate::whole_match::{end, fixture, open, record};

/// A checkpoint of this tree under a name of the log, with these further lines.
fn checkpoint(origin: &str, tree: Tree, lines: &[String]) -> Result<Checkpoint> {
    let text = format!("{origin}\n{}\n{}\n", tree.size, tree.root.to_base64());
    let text = lines.iter().fold(text, |text, line| text + line + "\n");
    Ok(Checkpoint::read(&text.parse()?)?)
}

/// The key of the log under a name: each name has its own.
fn term_key(name: &str) -> SignerKey {
    let number = OriginLine::from(&name.parse::<KeyName>().expect("a name")).term().1.unwrap_or(1);
    SignerKey::from_seed(name.parse().expect("a name"), &[u8::try_from(number).expect("a small number"); 32])
}

/// The line by which a log goes on from this one, named by its key.
fn line(before: &str, tree: Tree) -> Succession {
    let origin = OriginLine::from(&before.parse::<KeyName>().expect("a name"));
    let (first, number) = origin.term();
    let next = format!("{first}/{}", number.unwrap_or(1) + 1);
    let key = term_key(&next).verifier().clone();
    let (before, host) = (before.to_owned(), Hash::new([9; 32]));
    let line = Succession { before: before.clone(), common: tree, key, host, last: tree, named: None };
    line.named_by(&term_key(&before))
}

fn succeeds(origin: &str, tree: Tree) -> String {
    line(origin, tree).to_string()
}

/// What a served log of two entries may sign under a name, with the words that an audit says of it.
fn cases(first: Tree, tree: Tree) -> Vec<(&'static str, String, Vec<String>, &'static str)> {
    let name = |number: u32| format!("{ORIGIN}/{number}");
    let root = Hash::new([7; 32]);
    let good = succeeds(ORIGIN, first);
    let other = line(ORIGIN, first).named_by(&SignerKey::from_seed(ORIGIN.parse().expect("a name"), &[77; 32]));
    vec![
        ("no line", name(2), vec![], "it has not one succeeds line for each name of example.com/served"),
        ("two lines", name(2), vec![good.clone(), good.clone()], "it has not one succeeds line"),
        ("another log before it", name(2), vec![succeeds("example.com/other", first)], "names example.com/other"),
        ("a term that is left out", name(3), vec![good.clone()], "it has not one succeeds line for each name"),
        ("a first name", ORIGIN.to_owned(), vec![good], "a log's first name succeeds none"),
        ("a line that does not read", name(2), vec!["succeeds it".to_owned()], "is not written as it should be"),
        ("a key that another key named", name(2), vec![other.to_string()], "which is not so"),
        ("a larger tree", name(2), vec![succeeds(ORIGIN, Tree { size: TreeSize(9), ..tree })], "names a larger tree"),
        ("another root", name(2), vec![succeeds(ORIGIN, Tree { root, ..tree })], "names two roots for one size"),
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

/// A policy with the keys of these names of the served log, and no witness.
fn policy(names: &[&str]) -> String {
    names.iter().map(|name| format!("log {}\n", term_key(name).verifier())).collect::<String>() + "quorum none\n"
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
    log.change(|content| content.checkpoint = checkpoint.sign(&term_key(origin)).to_string().into());
}

/// An audit of a served log by a policy with these names of it.
async fn audits_by(log: &ServedLog, names: &[&str]) -> Result<(bool, String)> {
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), policy(names))?;
    audits(&log.address, &["--policy", file.path().to_str().context("a path")?]).await
}

#[tokio::test]
async fn an_audit_of_a_site_judges_where_a_later_name_goes_on_from() -> Result<()> {
    let (log, first, tree) = log_of_two().await?;
    let later = format!("{ORIGIN}/2");
    serves(&log, &later, &checkpoint(&later, tree, &[succeeds(ORIGIN, first)])?);
    let (good, said) = audits_by(&log, &[ORIGIN, &later]).await?;
    ensure!(good && !said.contains("not checked"), "{said}");
    // Who has the new key alone is told what that does not show.
    let (good, said) = audits(&log.address, &["--log-key", &term_key(&later).verifier().to_string()]).await?;
    ensure!(
        good && said.contains("whether the key of example.com/served named that of example.com/served/2"),
        "{said}"
    );
    for (what, origin, lines, expected) in cases(first, tree) {
        serves(&log, &origin, &checkpoint(&origin, tree, &lines)?);
        let mut names = vec![ORIGIN, later.as_str()];
        names.extend(Some(origin.as_str()).filter(|origin| !names.contains(origin)));
        let (good, said) = audits_by(&log, &names).await?;
        ensure!(!good && said.contains(expected), "{what}: {said}");
    }
    let lost = Succession { named: None, ..line(ORIGIN, first) }.to_string();
    serves(&log, &later, &checkpoint(&later, tree, &[lost])?);
    let (good, said) = audits_by(&log, &[ORIGIN, &later]).await?;
    ensure!(good && said.contains("the key before it is said to be lost, and did not name it"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_monitor_says_where_a_later_name_goes_on_from() -> Result<()> {
    let (log, first, tree) = log_of_two().await?;
    let (second, third) = (format!("{ORIGIN}/2"), format!("{ORIGIN}/3"));
    let mut monitor = Monitor::of(&policy(&[ORIGIN]))?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    let good = succeeds(ORIGIN, first);
    serves(&log, &second, &checkpoint(&second, tree, std::slice::from_ref(&good))?);
    // The policy does not have the new key, which the old one named.
    let said = monitor.look(&log.address).await?;
    let key = term_key(&second).verifier().to_string();
    ensure!(
        said.len() == 1 && said[0].starts_with("policy: ") && said[0].contains(&format!("named the next one: {key}"))
    );
    monitor.knows(&policy(&[ORIGIN, &second, &third]))?;
    serves(&log, &second, &checkpoint(&second, tree, &[])?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("name: the checkpoint does not say where"), "{said:?}");
    let thief = line(ORIGIN, first).named_by(&SignerKey::from_seed(ORIGIN.parse()?, &[77; 32])).to_string();
    serves(&log, &second, &checkpoint(&second, tree, &[thief])?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].contains("which is not so"), "{said:?}");
    serves(&log, &second, &checkpoint(&second, tree, std::slice::from_ref(&good))?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("lost: the log goes on as example.com/served/2 from 1"), "{said:?}");
    // Other keys, and nothing lost: there is nothing to say, unless nobody named them.
    let lines = |line: Succession| [good.clone(), line.to_string()];
    let unnamed = Succession { named: None, ..line(&second, tree) };
    serves(&log, &third, &checkpoint(&third, tree, &lines(line(&second, tree)))?);
    ensure!(monitor.look(&log.address).await?.is_empty());
    serves(&log, &second, &checkpoint(&second, tree, std::slice::from_ref(&good))?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].contains("and the log went on as example.com/served/3"), "{said:?}");
    let monitor = Monitor::of(&policy(&[ORIGIN, &second, &third]))?;
    ensure!(monitor.look(&log.address).await?.is_empty());
    serves(&log, &third, &checkpoint(&third, tree, &lines(unnamed))?);
    let said = monitor.look(&log.address).await?;
    ensure!(said.len() == 1 && said[0].contains("which the key of example.com/served/2 did not name"), "{said:?}");
    Ok(())
}

/// Begins a term of a site's log, and starts the site again, as an operator does.
pub(crate) async fn new_term(site: Site, reason: Reason, is_named: bool) -> Result<(Site, Plan)> {
    let (data, terms) = (site.data.clone(), site.app.signer().terms().clone());
    let planned = plan(site.app.logs.record(), &terms, data.path().join("checkpoint"), reason).await?;
    let before = Keys::log_of(data.path(), planned.before_key.public())?.filter(|_| is_named);
    begin_term(&mut site.owner().await?, &planned, data.path(), before.as_ref(), &System::real()).await?;
    // What runs has the keys of before, signs nothing more and accepts nothing.
    let standing = once(&site, |now| matches!(now.stopped.as_deref(), Some(StopReason::NewTerm { .. }))).await?;
    let why = standing.stopped.context("stopped")?;
    site.visitor()?.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
    site.visitor()?.get("/log").await?.says(&why.to_string())?.says("Start the program again")?;
    let refused = a_match(&site.app, "meanwhile").await.unwrap_err().to_string();
    ensure!(refused.starts_with("Nothing new is accepted at the moment"), "{refused}");
    ensure!(site.app.workers().first_end().is_none(), "no worker ended");
    Ok((Site::node(site.database.clone(), data, "checkpoint").await?, planned))
}

/// Every match of a log, downloaded now, and copies from before, under the policy that the site hands out.
pub(crate) async fn all_verify(site: &Site, copies: &[Bundle]) -> Result<()> {
    let policy = Policy::read(site.app.public_log.policy_text().as_bytes())?;
    for bundle in copies {
        let report = verify_by(bundle, &policy);
        ensure!(report.is_accepted() && report.findings[1].status == Status::Holds, "a copy: {report:#?}");
        let now = site.app.public_log.bundle(bundle.match_id).await?;
        let report = verify_by(&now, &policy);
        ensure!(report.is_accepted() && report.findings[1].status == Status::Holds, "a download: {report:#?}");
    }
    let scratch = tempfile::tempdir()?;
    let source = Source::database(site.app.logs.record().clone()).await?;
    let report = audit(source, Kept::default(), scratch.path()).await?;
    ensure!(report.is_good(), "{report}");
    let trust = LogTrust { key: None, policy: Some(policy) };
    let report = audit(Source::site(&site.address, &trust).await?, Kept::default(), scratch.path()).await?;
    ensure!(report.is_good(), "{report}");
    Ok(())
}

/// The bundle of a match that is over, of two rounds.
async fn a_copy(site: &Site) -> Result<Bundle> {
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let umpire = site.umpire().await?;
    let console = open(&umpire, &played).await?;
    for step in &played.steps[..2] {
        record(&umpire, &console, step).await?.is(StatusCode::OK)?;
    }
    end(&umpire, &console, "p1").await?;
    let bundle = umpire.http.get(format!("{}{}.bundle", site.address, console.replace("/umpire", ""))).send().await?;
    Ok(Bundle::read(&bundle.bytes().await?)?)
}

#[tokio::test]
async fn one_policy_verifies_every_match_of_a_log_whose_keys_changed_twice() -> Result<()> {
    let site = Site::start().await?;
    let mut copies = vec![a_copy(&site).await?];
    let first_policy = site.app.public_log.policy_text();
    let mut monitor = Monitor::of(&first_policy)?;
    ensure!(monitor.look(&site.address).await?.is_empty());
    let (site, planned) = new_term(site, Reason::Keys, true).await?;
    ensure!(planned.common == planned.last && planned.why.is_none());
    signing(&site.app).await?;
    // A new download has trees of the first name and a checkpoint of the second, which the policy of before does not know.
    let now = site.app.public_log.bundle(copies[0].match_id).await?;
    ensure!(!verify_by(&now, &Policy::read(first_policy.as_bytes())?).is_good());
    all_verify(&site, &copies).await?;
    copies.push(a_copy(&site).await?);
    ensure!(copies[0].lines[0] != copies[1].lines[0]);
    // The second change is of a key that was stolen: nobody names the next.
    let (site, _) = new_term(site, Reason::Keys, false).await?;
    signing(&site.app).await?;
    copies.push(a_copy(&site).await?);
    all_verify(&site, &copies).await?;
    monitor.knows(&site.app.public_log.policy_text())?;
    let said = monitor.look(&site.address).await?;
    ensure!(said.len() == 1 && said[0].starts_with("name: the log goes on with "), "{said:?}");
    let hosts = copies.iter().map(|copy| Check::of(copy, None).history().map(|match_| match_.opened.host_key.clone()));
    ensure!(hosts.collect::<std::collections::BTreeSet<_>>().len() == 3, "each term has a host key");
    // All files in one call name three host keys, as the log does.
    let folder = tempfile::tempdir()?;
    let mut arguments = vec!["verify".to_owned()];
    for (n, copy) in copies.iter().enumerate() {
        let now = site.app.public_log.bundle(copy.match_id).await?;
        let path = folder.path().join(format!("{n}.bundle"));
        std::fs::write(&path, now.write())?;
        arguments.push(path.to_str().context("a path")?.to_owned());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let verified = command(folder.path(), &arguments)?.output().await?;
    ensure!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
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
        let (site, _) = new_term(site, Reason::LostElsewhere, true).await?;
        signing(&site.app).await?;
        let name = format!("{}/2", site.app.origin());
        once(&site, |now| now.signed.as_ref().is_some_and(|signed| signed.origin.as_str() == name)).await?;
        // The newest keys come first.
        let (keys, owner) = (Keys::open(site.data.path(), &System::real())?, site.owner().await?);
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
        let log = self.keys.log().named(key.as_str().parse::<KeyName>()?).context("a key in a file")?;
        let note = checkpoint.sign(&log).to_string();
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
    let line = kept.extensions()[0].to_string();
    let twice = [line.clone(), line.clone()];
    let elsewhere = [line.replacen(first.as_str(), "elsewhere", 1)];
    let lost = [line.rsplit_once(' ').context("a line")?.0.to_owned() + " lost"];
    for (lines, expected) in [
        (&[][..], "it has not one succeeds line"),
        (&twice, "it has not one succeeds line"),
        (&elsewhere, "names elsewhere"),
        (&lost, "the database keeps another tree or key as the one from which this name goes on"),
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
