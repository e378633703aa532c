//! The log as an outsider follows it: checkpoint, tiles, bundles, proofs.

use std::fs::File;

use anyhow::{Context, Result, ensure};
use app::Scope;
use app::{Act, App, by_umpire, form_of};
use ledger::checkpoint::Checkpoint;
use ledger::{Hash, Head, MatchId, Note, TreeSize, VerifierKey, leaf_hash, node_hash};
use record::write::NewMatch;
use reqwest::StatusCode;
use serde_json::json;
use sqlx::Row;

use crate::archive::played;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::umpire_acts::act_on;
use crate::wait::until;
use crate::whole_match::fixture;

/// RFC 6962, section 2.1, verbatim.
pub(crate) fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => ledger::Tree::empty().root,
        [leaf] => *leaf,
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            node_hash(&root(&leaves[..split]), &root(&leaves[split..]))
        }
    }
}

/// A client that knows the log's key and the addresses of tlog-tiles, and nothing of this program.
pub(crate) struct Reader {
    pub(crate) guest: Guest,
    pub(crate) key: VerifierKey,
}

impl Reader {
    pub(crate) async fn of(site: &Site) -> Result<Self> {
        let guest = site.visitor()?;
        // As a person would copy it from the page.
        let key = guest.get("/log").await?.beside("Verifier key")?.parse()?;
        Ok(Self { guest, key })
    }

    pub(crate) async fn checkpoint(&self) -> Result<Checkpoint> {
        let page = self.guest.get("/checkpoint").await?;
        ensure!(page.status == StatusCode::OK, "{}: {}", page.status, page.text);
        self.open(&page.text)
    }

    pub(crate) fn open(&self, note: &str) -> Result<Checkpoint> {
        Ok(Checkpoint::open(&Note::read(note.as_bytes())?, &self.key.name().into(), [&self.key])?)
    }

    pub(crate) async fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let answer = self.guest.http.get(format!("{}{path}", self.guest.address)).send().await?;
        match answer.status() {
            StatusCode::OK => {
                let headers = answer.headers();
                assert_eq!(headers["content-type"], "application/octet-stream", "{path}");
                assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable", "{path}");
                assert_eq!(headers["access-control-allow-origin"], "*");
                Ok(Some(answer.bytes().await?.into()))
            }
            StatusCode::NOT_FOUND => Ok(None),
            other => anyhow::bail!("{path}: {other}"),
        }
    }

    /// A tile in a tree of this size, full or partial.
    async fn tile(&self, row: &str, hashes: u64, index: u64) -> Result<Vec<u8>> {
        let width = (hashes - index * 256).min(256);
        let partial = if width < 256 { format!(".p/{width}") } else { String::new() };
        let path = format!("/tile/{row}/{index:03}{partial}");
        self.bytes(&path).await?.with_context(|| format!("{path} is served"))
    }

    async fn tiles(&self, row: &str, hashes: u64) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        for index in 0..hashes.div_ceil(256) {
            all.extend(self.tile(row, hashes, index).await?);
        }
        Ok(all)
    }

    /// Every entry of a tree, from its bundles.
    async fn entries(&self, size: TreeSize) -> Result<Vec<Vec<u8>>> {
        let bundles = self.tiles("entries", size.0).await?;
        let (mut rest, mut entries) = (bundles.as_slice(), Vec::new());
        while let Some((length, more)) = rest.split_first_chunk() {
            let (entry, more) = more.split_at(usize::from(u16::from_be_bytes(*length)));
            entries.push(entry.to_vec());
            rest = more;
        }
        ensure!(rest.is_empty() && entries.len() as u64 == size.0);
        Ok(entries)
    }

    /// Reads a whole tree and checks every level of it against the checkpoint.
    pub(crate) async fn follow(&self, checkpoint: &Checkpoint) -> Result<Vec<Hash>> {
        let size = checkpoint.tree().size;
        let leaves: Vec<Hash> = self.entries(size).await?.iter().map(|entry| leaf_hash(entry)).collect();
        ensure!(root(&leaves) == checkpoint.tree().root, "the entries of size {size}");
        let mut hashes = leaves.clone();
        for level in 0.. {
            let served = self.tiles(&level.to_string(), hashes.len() as u64).await?;
            let expected: Vec<u8> = hashes.iter().flat_map(|hash| *hash.bytes()).collect();
            ensure!(served == expected, "level {level} of size {size}");
            hashes = hashes.chunks_exact(256).map(root).collect();
            if hashes.is_empty() {
                break;
            }
        }
        Ok(leaves)
    }
}

fn act(parts: &[&str]) -> Act {
    Act { by: by_umpire("ursula"), form: form_of(parts) }
}

pub(crate) async fn a_match(app: &App, name: &str) -> Result<(MatchId, Head)> {
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let replay = engine::dmn::Replay::open(&played.text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let tags = replay.tags();
    let new = NewMatch { setup: tags.setup.clone(), names: tags.names.clone(), ..NewMatch::default() };
    let id = app.commands.open_match(Scope::Record, &act(&["open", name]), &new).await?;
    Ok((id, app.matches.history(id).await?.head))
}

/// Adds entries to a match: remarks.
pub(crate) async fn remark(app: &App, id: MatchId, mut head: Head, count: usize) -> Result<Head> {
    for n in 0..count {
        let text = format!("remark {n} after {}", head.next);
        let note = act_on(head, "note", json!({ "text": text }))?;
        head = app.commands.perform(&act(&[&text, &id.to_string()]), id, &note).await?.head;
    }
    Ok(head)
}

/// Adds past matches until the log has at least this many entries, and returns its size.
pub(crate) async fn grown(site: &Site, least: u64) -> Result<TreeSize> {
    let umpire = site.umpire().await?;
    loop {
        let size = site.app.logs.record().size().await?;
        if size.0 >= least {
            return Ok(size);
        }
        import(&umpire, &played(&format!("Ada {size}"), "Bo", "Past", "2022-05-01", "")?).await?;
    }
}

/// A checkpoint that covers this many entries.
pub(crate) async fn signed(site: &Site, size: u64) -> Result<String> {
    Ok(site.app.signer().covering(TreeSize(size)).await?.note.clone())
}

#[tokio::test]
async fn every_published_size_is_followed_through_partial_tiles() -> Result<()> {
    let site = Site::start().await?;
    let reader = Reader::of(&site).await?;
    signed(&site, 0).await?;
    assert_eq!(reader.checkpoint().await?.tree(), ledger::Tree::empty(), "an empty log is signed as well");

    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 3).await?;
    signed(&site, u64::from(head.next.0)).await?;
    let small = reader.checkpoint().await?;
    remark(&site.app, id, head, 5).await?;
    let size = grown(&site, 513).await?;
    signed(&site, size.0).await?;
    let last = reader.checkpoint().await?;
    assert_eq!(last.tree().size, size);

    // Every signed checkpoint leads to its tree, also after its tiles became full.
    let notes = sqlx::query("select note from checkpoints order by size").fetch_all(&mut site.owner().await?).await?;
    ensure!(notes.len() > 3, "{} checkpoints", notes.len());
    let leaves = reader.follow(&last).await?;
    for note in &notes {
        let checkpoint = reader.open(std::str::from_utf8(note.get("note"))?)?;
        let followed = reader.follow(&checkpoint).await?;
        ensure!(followed == leaves[..followed.len()]);
    }
    ensure!(reader.open(std::str::from_utf8(notes[1].get("note"))?).is_ok());

    // Proofs between checkpoints, and of entries.
    let get = async |path: String| -> Result<serde_json::Value> {
        let page = reader.guest.get(&path).await?;
        page.is(StatusCode::OK)?;
        Ok(serde_json::from_str(&page.text)?)
    };
    let path = |proof: &serde_json::Value| -> Result<Vec<Hash>> {
        let hashes = proof["path"].as_array().context("a path")?.iter();
        Ok(hashes.map(|hash| Hash::from_base64(hash.as_str().unwrap_or_default())).collect::<Result<_, _>>()?)
    };
    let proof = get(format!("/api/v1/proof/consistency?from={}", small.tree().size)).await?;
    assert_eq!(proof["from"]["size"], small.tree().size.0);
    assert_eq!(proof["to"]["size"], last.tree().size.0);
    let consistency = ledger::ConsistencyProof { path: path(&proof)? };
    consistency.check(&small.tree(), &last.tree())?;
    for index in [0, 1, 255, 256, 511, 512, size.0 - 1] {
        let proof = get(format!("/api/v1/proof/inclusion?index={index}&size={size}")).await?;
        let inclusion = ledger::InclusionProof { path: path(&proof)? };
        inclusion.check(ledger::LeafIndex(index), leaves[index as usize], &last.tree())?;
    }
    let slug = app::slug(id);
    let file = reader.guest.get(&format!("/m/{slug}/entries/7/proof")).await?.text;
    let (proof, checkpoint) = file.split_once("\n\n").context("a tlog-proof")?;
    let mut lines = proof.lines();
    ensure!(lines.next() == Some("c2sp.org/tlog-proof@v1"));
    let index = lines.next().and_then(|line| line.strip_prefix("index ")).context("an index")?.parse()?;
    let inclusion = ledger::InclusionProof { path: lines.map(Hash::from_base64).collect::<Result<_, _>>()? };
    inclusion.check(ledger::LeafIndex(index), leaves[index as usize], &reader.open(checkpoint)?.tree())?;
    Ok(())
}

#[tokio::test]
async fn what_is_no_tile_or_no_proof_is_refused_in_words() -> Result<()> {
    let site = Site::start().await?;
    let reader = Reader::of(&site).await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 2).await?;
    let size = u64::from(head.next.0);
    signed(&site, size).await?;
    for path in [
        "/tile/0/000",
        "/tile/0/000.p/0",
        "/tile/0/000.p/01",
        "/tile/0/000.p/256",
        "/tile/0/00.p/1",
        "/tile/0/0000.p/1",
        "/tile/0/x000/000.p/1",
        "/tile/0/001.p/1",
        "/tile/00/000.p/1",
        "/tile/1/000.p/1",
        "/tile/64/000.p/1",
        "/tile/entries/000",
        "/tile/entries/%30%30%30.p/1",
        "/tile/entries/000.p/1/",
        "/tile/data/000.p/1",
        &format!("/tile/0/000.p/{}", size + 1),
        &format!("/tile/entries/000.p/{}", size + 1),
        "/tile/7/x999/x999/x999/x999/x999/999",
    ] {
        assert_eq!(reader.bytes(path).await?, None, "{path}");
    }
    for (path, status, said) in [
        ("inclusion", 400, "This address takes index, and size if you like, as whole numbers"),
        ("inclusion?index=1&index=2", 400, "as whole numbers"),
        ("inclusion?index=-1", 400, "as whole numbers"),
        ("inclusion?index=1&other=2", 400, "as whole numbers"),
        ("inclusion?index=900", 404, "No signed checkpoint covers 901 entries yet; the last one covers"),
        ("inclusion?index=1&size=900", 404, "No signed checkpoint covers 900 entries yet"),
        ("inclusion?index=2&size=1", 422, "Leaf 2 is not in a tree of 1 leaves."),
        ("inclusion?index=18446744073709551615", 404, "No signed checkpoint covers"),
        ("consistency?from=0", 422, "No proof leads from a tree of 0 leaves"),
        ("consistency?from=3&to=2", 422, "No proof leads from a tree of 3 leaves to one of 2."),
        ("consistency?from=900", 404, "No signed checkpoint covers 900 entries yet"),
    ] {
        let page = reader.guest.get(&format!("/api/v1/proof/{path}")).await?;
        assert_eq!(page.status.as_u16(), status, "{path}: {}", page.text);
        page.says(said)?;
    }
    let slug = app::slug(id);
    for seq in ["900", "01", "-1", "x"] {
        let page = reader.guest.get(&format!("/m/{slug}/entries/{seq}/proof")).await?;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{seq}");
    }
    Ok(())
}

#[tokio::test]
async fn a_locked_checkpoint_file_holds_up_signing_and_no_page() -> Result<()> {
    let site = Site::start().await?;
    signed(&site, 0).await?;
    // As another process would.
    let file = File::options().write(true).open(site.data.path().join("checkpoint.lock"))?;
    file.lock()?;
    let (_, head) = a_match(&site.app, "one").await?;
    let size = u64::from(head.next.0);
    // The signer's thread waits two seconds for the lock; the pages wait for nothing.
    site.visitor()?.get("/log").await?.says("Verifier key")?;
    site.visitor()?.until("/log", "another program holds its lock").await?;
    ensure!(site.app.signer().latest().is_none_or(|latest| latest.size.0 < size), "it is signed with the file locked");
    file.unlock()?;
    until(async || signed(&site, size).await).await?;
    Ok(())
}
