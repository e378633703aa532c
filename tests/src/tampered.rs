//! Tampering with the database: a superuser alters rows, and the page of the check, the bundle and the audit report the
//! alteration and its place. Bundles altered as files are in `record/tests/record/matrix.rs`, restored dumps in
//! `histories.rs`.

use anyhow::{Context, Result, ensure};
use app::LOG;
use app::audit::{Kept, Source, audit};
use ledger::{Checkpoint, CosignedAt, CosignerKey, MatchId, Note, Policy};
use record::verify::{Report, Status, Verdict, verify_by};
use sqlx::{Connection, Executor, PgConnection, PgPool};
use store::Store;

use crate::browser::{FIXTURE, played};
use crate::log::{a_match, grown, signed};
use crate::site::Site;
use crate::wait::until;

/// The tables of the log, which are restored after every alteration.
const TABLES: [&str; 5] = ["entries", "tiles", "checkpoints", "cosignatures", "signed_head"];

/// A site, its owner, and a match on it.
struct Damaged {
    site: Site,
    owner: PgConnection,
    pool: PgPool,
    page: String,
    match_id: MatchId,
    entries: u32,
    found: usize,
}

impl Damaged {
    async fn new() -> Result<Self> {
        let site = Site::start().await?;
        let umpire = site.umpire().await?;
        // It is surrounded by more than a tile of other entries.
        let before = grown(&site, 130).await?;
        let page = played(&umpire, FIXTURE, 6).await?;
        grown(&site, before.0 + 160).await?;
        // All rows, because a later checkpoint would be the newest.
        let mut owner = PgConnection::connect_with(&site.database).await?;
        let size: i64 = sqlx::query_scalar("select count(*) from entries").fetch_one(&mut owner).await?;
        signed(&site, size.try_into()?).await?;
        let match_id = site.app.matches.match_of(page.rsplit('/').next().context("a slug")?).await?;
        let entries = site.app.public_log.bundle(match_id).await?.head.next.0;
        for table in TABLES {
            owner.execute(sqlx::AssertSqlSafe(format!("create table kept_{table} as table {table}"))).await?;
        }
        let pool = PgPool::connect_with(site.database.clone()).await?;
        Ok(Self { site, owner, pool, page, match_id, entries, found: 0 })
    }

    async fn audited(&self) -> Result<String> {
        let store = Store::existing(self.pool.clone(), LOG).await?.context("a log")?;
        Ok(audit(Source::database(store).await?, Kept::default(), &std::env::temp_dir()).await?.to_string())
    }

    async fn checked(&self) -> Result<Report> {
        let bundle = self.site.app.public_log.bundle(self.match_id).await?;
        Ok(verify_by(&bundle, &Policy::read(self.site.app.public_log.policy_text().as_bytes())?))
    }

    /// Alters rows. The audit must report this, and the page must name the entry if there is one. Then all rows are
    /// restored.
    async fn alter(&mut self, name: &str, sql: &str, audit_says: &str, entry: Option<u32>) -> Result<()> {
        let done = self.owner.execute(sqlx::AssertSqlSafe(sql.to_owned())).await.with_context(|| name.to_owned())?;
        ensure!(done.rows_affected() > 0, "{name}: nothing was altered");
        let said = self.audited().await?;
        ensure!(said.contains("this log is not what it says it is"), "{name}: {said}");
        ensure!(said.contains(audit_says), "{name}: {said}");
        if let Some(entry) = entry {
            let report = self.checked().await?;
            let Verdict::Failed { entry: named, .. } = report.verdict else { anyhow::bail!("{name}: {report:?}") };
            ensure!(named.0 == entry, "{name}: entry {named} is named, not {entry}: {report:#?}");
            let page = self.site.visitor()?.get(&format!("{}/verify", self.page)).await?;
            page.says(&format!("Failed at entry {entry}"))?.says("something is wrong here")?;
        }
        self.restore().await?;
        self.found += 1;
        Ok(())
    }

    /// Alters an entry in every way: a byte of it, the same with its hash, its deletion, and its place.
    async fn alter_entry(&mut self, n: u32) -> Result<()> {
        let entry = self.entry(n);
        let at = format!("match {}, entry {n}", self.match_id);
        let flip = another("bytes", "octet_length(bytes) / 2");
        self.alter(
            &format!("a byte of entry {n}"),
            &format!("update entries set bytes = {flip} where {entry}"),
            "its bytes were altered",
            Some(n),
        )
        .await?;
        // With its hash, as somebody who knows the tables would do it.
        let hashed = format!("bytes = {flip}, leaf = sha256('\\x00'::bytea || {flip})");
        let named = if n + 1 == self.entries { None } else { Some(n) };
        self.alter(
            &format!("a byte of entry {n}, and its hash"),
            &format!("update entries set {hashed} where {entry}"),
            "",
            named,
        )
        .await?;
        self.alter(
            &format!("entry {n} deleted"),
            &format!("delete from entries where {entry}"),
            "comes next in the log",
            None,
        )
        .await?;
        if n + 1 < self.entries {
            let (id, m) = (self.match_id, n + 1);
            let swap = format!(
                "update entries mine set bytes = other.bytes, leaf = other.leaf from entries other \
                 where mine.match_id = '{id}' and other.match_id = '{id}' \
                 and ((mine.seq = {n} and other.seq = {m}) or (mine.seq = {m} and other.seq = {n}))"
            );
            self.alter(&format!("entries {n} and {} swapped", n + 1), &swap, &at, Some(n)).await?;
        }
        Ok(())
    }

    async fn restore(&mut self) -> Result<()> {
        for table in TABLES {
            let back = format!("delete from {table}; insert into {table} table kept_{table}");
            self.owner.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(back))).await?;
        }
        Ok(())
    }

    fn entry(&self, n: u32) -> String {
        format!("match_id = '{}' and seq = {n}", self.match_id)
    }
}

/// The bytes with another value at a place, whichever value is there.
pub(crate) fn another(bytes: &str, at: &str) -> String {
    format!("set_byte({bytes}, {at}, get_byte({bytes}, {at}) # 1)")
}

#[tokio::test]
async fn what_a_superuser_alters_is_found_and_named() -> Result<()> {
    let mut log = Damaged::new().await?;
    let good = log.audited().await?;
    ensure!(good.contains("nothing is wrong"), "{good}");
    let report = log.checked().await?;
    ensure!(report.is_good() && report.findings[1].status == Status::Holds, "{report:#?}");

    for n in 0..log.entries {
        log.alter_entry(n).await?;
    }
    for (name, sql, says) in [
        (
            "a tile",
            format!("update tiles set hashes = {} where level = 0", another("hashes", "99")),
            "tile 0 of level 0",
        ),
        (
            "a checkpoint's root",
            "update checkpoints set root = sha256(root) where size = (select max(size) from checkpoints)".to_owned(),
            "root",
        ),
        (
            "a checkpoint's text",
            format!(
                "update checkpoints set note = {} where size = (select max(size) from checkpoints)",
                another("note", "octet_length(note) - 21")
            ),
            "",
        ),
    ] {
        log.alter(name, &sql, says, None).await?;
    }

    let report = log.checked().await?;
    ensure!(report.is_good() && report.findings[1].status == Status::Holds, "all was put back: {report:#?}");

    // Signing continues from the last signed head: if that is altered, nothing is signed any more.
    log.owner.execute("update signed_head set root = sha256(root)").await?;
    until(async || log.site.app.signer().stopped().context("a log with another signed head is signed")).await?;
    let refused = a_match(&log.site.app, "one more").await.unwrap_err();
    ensure!(refused.to_string().starts_with("Nothing new is accepted"), "{refused}");
    log.found += 1;
    println!("{} alterations of the database, all found; none found before and after", log.found);
    Ok(())
}

#[tokio::test]
async fn a_cosignature_that_is_altered_in_the_database_fails_the_bundle() -> Result<()> {
    let mut log = Damaged::new().await?;
    let witness = CosignerKey::from_seed("alder.example".parse()?, &[7; 32]);
    let checkpoint = log.site.app.public_log.bundle(log.match_id).await?.logged.context("a checkpoint")?.checkpoint;
    let line = witness.cosign(checkpoint.text(), CosignedAt::from_seconds(1_795_300_000).context("a time")?);
    let size = Checkpoint::read(checkpoint.text())?.tree().size;
    let add = format!(
        "insert into cosignatures (log_id, term, size, witness, line, at) values ({}, 0, {size}, 'alder.example', '{line}', now())",
        LOG.0
    );
    log.owner.execute(sqlx::AssertSqlSafe(add)).await?;
    let own = log.site.app.public_log.policy_text();
    let own = own.lines().next().context("its key")?;
    let text = format!("{own}\nwitness alder {}\nquorum alder\n", witness.verifier());
    let policy = Policy::read(text.as_bytes())?;
    let bundle = log.site.app.public_log.bundle(log.match_id).await?;
    let second = &verify_by(&bundle, &policy).findings[1];
    ensure!(second.status == Status::Holds && second.summary.contains("as many witnesses cosigned"), "{second:?}");

    let elsewhere: Note = Note::with_signature("another text\n".parse()?, line);
    let other = witness.cosign(elsewhere.text(), CosignedAt::from_seconds(1_795_300_000).context("a time")?);
    let alter = format!("update cosignatures set line = '{other}'");
    log.owner.execute(sqlx::AssertSqlSafe(alter)).await?;
    let report = verify_by(&log.site.app.public_log.bundle(log.match_id).await?, &policy);
    ensure!(!report.is_good() && report.findings[1].status == Status::Failed, "{report:#?}");
    ensure!(report.findings[1].details.iter().any(|detail| detail.wrong && detail.text.contains("does not accept")));
    Ok(())
}
