//! Tampering with the database: a superuser alters rows, and the page of the check, the bundle and the audit report the
//! alteration and its place. Bundles altered as files are in `record/tests/record/matrix.rs`, restored dumps in
//! `histories.rs`.

use anyhow::{Context, Result, ensure};
use app::LOG;
use app::Scope;
use app::archive::VerdictFilter;
use audit::{Kept, Source, audit};
use ledger::{Checkpoint, CosignedAt, CosignerKey, Hash, MatchId, Note, Policy, leaf_hash};
use record::verify::{Report, Status, Verdict, verify_by};
use sqlx::{Connection, Executor, PgConnection, PgPool};
use store::Store;

use crate::archive::played as past;
use crate::browser::{FIXTURE, played};
use crate::log::{a_match, grown, signed};
use crate::pages::import;
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

/// A site with an imported match that p1 won, checked and signed, and the address of its page.
async fn imported() -> Result<(Site, String, MatchId)> {
    let site = Site::start().await?;
    let page = import(&site.umpire().await?, &past("Quill", "Okapi", "Cup", "2025-05-01", "")?).await?;
    site.app.index.follow().await?;
    let match_id = site.app.matches.match_of(page.address.rsplit('/').next().context("a slug")?).await?;
    let size = site.app.logs.record().size().await?;
    signed(&site, size.0).await?;
    site.app.checks.check_some().await?;
    let page = page.address.clone();
    site.visitor()?.get(&page).await?.says("data-verdict=\"imported\"")?;
    Ok((site, page, match_id))
}

/// Gives an entry and all later ones of its match other bytes: `from` becomes `to`, and every leaf and predecessor is
/// computed again.
async fn rewrite(owner: &mut PgConnection, match_id: MatchId, from: &str, to: &str) -> Result<()> {
    let rows = sqlx::query_as::<_, (i32, Vec<u8>, Vec<u8>)>(
        "select seq, bytes, leaf from entries where match_id = $1 order by seq",
    );
    let rows = rows.bind(match_id.0).fetch_all(&mut *owner).await?;
    let mut renamed: Option<(String, String)> = None;
    for (seq, bytes, leaf) in rows {
        let old = String::from_utf8(bytes)?;
        let mut text = old.replacen(from, to, 1);
        if let Some((old, new)) = &renamed {
            text = text.replace(old, new);
        }
        if text == old {
            continue;
        }
        let new = leaf_hash(text.as_bytes());
        renamed = Some((Hash::try_from(leaf.as_slice())?.to_string(), new.to_string()));
        let update = "update entries set bytes = $3, leaf = $4 where match_id = $1 and seq = $2";
        let update = sqlx::query(update).bind(match_id.0).bind(seq).bind(text.as_bytes());
        update.bind(new.bytes().as_slice()).execute(&mut *owner).await?;
    }
    ensure!(renamed.is_some(), "nothing was altered");
    Ok(())
}

#[tokio::test]
async fn a_stored_verdict_is_of_the_entries_that_were_checked_and_of_no_others() -> Result<()> {
    let (site, page, match_id) = imported().await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    let mut owner = site.owner().await?;
    site.stop().await?;
    rewrite(&mut owner, match_id, "\"result\":\"p1\"", "\"result\":\"p2\"").await?;
    let site = Site::node(database, data, "checkpoint").await?;
    let match_history = site.app.matches.history(match_id).await?;
    let (verdict, words) = site.app.checks.verdict(&match_history).await?;
    ensure!(!matches!(verdict, VerdictFilter::Imported | VerdictFilter::Verified), "{verdict:?}: {words}");
    let shown = site.visitor()?.get(&page).await?;
    ensure!(!shown.text.contains("data-verdict=\"imported\""), "{}", shown.text);

    // Once the program knows of it, no match has a verdict.
    let listed = async |check: &str| -> Result<()> {
        let (guest, check) = (site.visitor()?, format!("\"check\":\"{check}\""));
        guest.get("/archive.ndjson").await?.says(&check)?;
        guest.get("/api/v1/matches").await?.says(&check)?;
        Ok(())
    };
    until(async || site.app.signer().stopped().context("a log with another entry is signed")).await?;
    site.app.matches.forget(match_id);
    site.visitor()?.get(&page).await?.says("Not checked now: the log is not what was signed")?;
    // No list says it either, nor a file of one, whatever was kept of them.
    listed("unchecked").await?;
    Ok(())
}

#[tokio::test]
async fn a_verdict_without_the_hash_of_its_entries_counts_as_none() -> Result<()> {
    let (site, page, match_id) = imported().await?;
    let forged = "update archive set verdict = 'verified', checked_words = 'verified by nobody', checked_leaf = null";
    site.owner().await?.execute(forged).await?;
    let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
    let shown = again.visitor()?.get(&page).await?;
    ensure!(!shown.says("data-verdict=\"imported\"")?.text.contains("erified by nobody"), "{}", shown.text);
    let history = again.app.matches.history(match_id).await?;
    ensure!(again.app.checks.verdict(&history).await?.0 == VerdictFilter::Imported);
    Ok(())
}

async fn audit_of(site: &Site) -> Result<String> {
    let source = Source::database(site.app.logs.record().clone()).await?;
    Ok(audit(source, Kept::default(), &std::env::temp_dir()).await?.to_string())
}

#[tokio::test]
async fn an_audit_compares_the_words_beside_the_log_with_what_its_entries_commit_to() -> Result<()> {
    let (site, _, match_id) = imported().await?;
    let good = audit_of(&site).await?;
    ensure!(good.contains("words    holds") && good.contains("nothing is wrong"), "{good}");
    let mut owner = site.owner().await?;
    owner.execute("update texts set text = 'Evilname' where text = 'Quill'").await?;
    let said = audit_of(&site).await?;
    ensure!(said.contains("words    FAILS 1 time") && said.contains("found Evilname"), "{said}");
    ensure!(said.contains(&format!("match {match_id}, entry 0: the text given for \"p1\"")), "{said}");
    ensure!(said.contains("this log is not what it says it is"), "{said}");
    // What was withdrawn is missing, and that is no fault.
    owner.execute("delete from texts where text = 'Evilname'").await?;
    let said = audit_of(&site).await?;
    ensure!(said.contains("nothing is wrong"), "{said}");
    Ok(())
}

#[tokio::test]
async fn an_audit_compares_the_lists_with_the_record() -> Result<()> {
    let (site, _, match_id) = imported().await?;
    let good = audit_of(&site).await?;
    ensure!(good.contains("lists    holds") && good.contains("nothing is wrong"), "{good}");
    let mut owner = site.owner().await?;
    owner.execute("create table kept_rows as table archive").await?;
    for (set, says) in [
        ("result = 'p2'", "it says p2 with "),
        ("score_p1 = score_p1 + 1", "it says p1 with "),
        ("reason = 'conceded'", "it says conceded after "),
        ("rulings = rulings + 1", "interventions, and the record "),
        ("verdict = 'verified'", "it says the badge verified, and the record imported"),
    ] {
        owner.execute(sqlx::AssertSqlSafe(format!("update archive set {set}"))).await?;
        let said = audit_of(&site).await?;
        ensure!(said.contains(&format!("- match {match_id}: the list row differs: ")), "{set}: {said}");
        ensure!(said.contains(says) && said.contains("db migrate --reindex"), "{set}: {said}");
        ensure!(said.contains("the log is what was signed; the lists show something else"), "{set}: {said}");
        site.app.index.reindex(Scope::Record).await?;
        site.app.checks.forget().await?;
        site.app.checks.check_some().await?;
        let said = audit_of(&site).await?;
        ensure!(said.contains("nothing is wrong"), "{set}: {said}");
    }
    // A row that seems to wait for the index, to be of a running match, or is not there.
    for (done, says) in [
        ("update archive set result = 'p2', head = head - 1, checked_head = head - 1", "entries, and was made of "),
        ("update archive set result = '*'", "it says that it runs, and the record "),
        ("delete from archive", "there is none"),
    ] {
        owner.execute(done).await?;
        let said = audit_of(&site).await?;
        ensure!(said.contains(&format!("- match {match_id}: the list row differs: ")), "{done}: {said}");
        ensure!(said.contains(says) && said.contains("db migrate --reindex"), "{done}: {said}");
        site.app.index.reindex(Scope::Record).await?;
        site.app.checks.forget().await?;
        site.app.checks.check_some().await?;
        let said = audit_of(&site).await?;
        ensure!(said.contains("nothing is wrong"), "{done}: {said}");
    }
    // One that runs is in the lists, too, and has no result yet.
    a_match(&site.app, "one").await?;
    site.app.index.follow().await?;
    let said = audit_of(&site).await?;
    ensure!(said.contains("nothing is wrong"), "{said}");
    let of_nobody = "update kept_rows set match_id = gen_random_uuid(), slug = 'nobody'; \
        insert into archive table kept_rows";
    owner.execute(of_nobody).await?;
    let said = audit_of(&site).await?;
    ensure!(said.contains("the lists have this match, and the log has no entry of it"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_cosignature_that_is_altered_in_the_database_fails_the_bundle() -> Result<()> {
    let mut log = Damaged::new().await?;
    let witness = CosignerKey::from_seed("alder.example".parse()?, &[7; 32]);
    let checkpoint = log.site.app.public_log.bundle(log.match_id).await?.logged.context("a checkpoint")?.checkpoint;
    let now = log.site.app.system().now().micros() / 1_000_000;
    let now = CosignedAt::from_seconds(now.try_into()?).context("a time")?;
    let line = witness.cosign(checkpoint.text(), now);
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
    let other = witness.cosign(elsewhere.text(), now);
    let alter = format!("update cosignatures set line = '{other}'");
    log.owner.execute(sqlx::AssertSqlSafe(alter)).await?;
    let report = verify_by(&log.site.app.public_log.bundle(log.match_id).await?, &policy);
    ensure!(!report.is_good() && report.findings[1].status == Status::Failed, "{report:#?}");
    ensure!(report.findings[1].details.iter().any(|detail| detail.wrong && detail.text.contains("does not accept")));
    Ok(())
}
