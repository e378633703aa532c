//! `matchbook audit` of a site, by what its reader brings along: a policy, and a checkpoint that somebody kept.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use app::keys::Keys;
use ledger::{Checkpoint, Hash, KeyName, Kind, Note, OriginLine, PlayerKey, SignerKey, Tree, TreeSize};
use record::Bundle;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use crate::program::binary;
use crate::served_log::ServedLog;
use crate::site::Site;
use crate::wait::until;
use crate::watch::{Chain, player};
use crate::whole_match::{fixture, open};
use crate::witness::witness_key;

const MATCH: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// True if the audit found nothing, and what it said.
pub(crate) async fn audits(address: &str, more: &[&str]) -> Result<(bool, String)> {
    let done = Command::new(binary()?).args(["audit", address]).args(more).output().await?;
    Ok((done.status.success(), String::from_utf8(done.stdout)? + &String::from_utf8(done.stderr)?))
}

struct Reader {
    folder: TempDir,
    site: Site,
    kept: Checkpoint,
}

impl Reader {
    /// Of a site with a match, who kept its checkpoint.
    async fn new() -> Result<Self> {
        let (folder, site) = (tempfile::tempdir()?, Site::start().await?);
        open(&site.umpire().await?, &fixture(MATCH)?).await?;
        let visitor = site.visitor()?;
        let kept = until(async || {
            let note = visitor.get("/checkpoint").await?.text;
            let kept = Checkpoint::read(Note::read(note.as_bytes())?.text())?;
            ensure!(kept.tree().size.0 > 1, "{kept:?}");
            Ok(kept)
        });
        let kept = kept.await?;
        Ok(Self { folder, site, kept })
    }

    fn writes(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    async fn audits(&self, option: &str, file: &Path) -> Result<(bool, String)> {
        audits(&self.site.address, &[option, file.to_str().context("a path")?]).await
    }

    /// Audits the log against a checkpoint with this name and tree, signed by this key under that name.
    async fn holds(&self, origin: &str, tree: Tree, key: &dyn Fn(KeyName) -> SignerKey) -> Result<(bool, String)> {
        let checkpoint = Checkpoint::new(origin.parse::<OriginLine>()?, tree).sign(&key(origin.parse()?));
        let file = self.writes("checkpoint", &checkpoint.to_string())?;
        let known = self.site.app.signer().verifier(self.site.app.origin()).to_string();
        audits(&self.site.address, &["--log-key", &known, "--checkpoint", file.to_str().context("a path")?]).await
    }
}

#[tokio::test]
async fn a_policy_whose_witnesses_did_not_sign_is_not_satisfied() -> Result<()> {
    let reader = Reader::new().await?;
    let key = reader.site.app.signer().verifier(reader.site.app.origin());
    let none = reader.writes("none", &format!("log {key}\nquorum none\n"))?;
    let (good, said) = reader.audits("--policy", &none).await?;
    ensure!(good, "{said}");
    let witness = witness_key("witness.example/one").verifier().to_string();
    let one = reader.writes("one", &format!("log {key}\nwitness one {witness}\nquorum one\n"))?;
    let (good, said) = reader.audits("--policy", &one).await?;
    ensure!(!good && said.contains("fewer witnesses cosigned it than the policy asks for"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_log_without_the_tree_that_somebody_kept_is_another_log() -> Result<()> {
    let reader = Reader::new().await?;
    let (tree, name) = (reader.kept.tree(), reader.kept.origin().as_str());
    let keys = Keys::existing(reader.site.data.path())?;
    let log = |name| keys.log().named(name).expect("a key in a file");
    let (good, said) = reader.holds(name, tree, &log).await?;
    ensure!(good, "{said}");
    let root = Hash::new([7; 32]);
    for other in [Tree { root, ..tree }, Tree { size: TreeSize(1), root }, Tree { size: TreeSize(900), ..tree }] {
        let (good, said) = reader.holds(name, other, &log).await?;
        ensure!(!good && said.contains(&format!("a kept checkpoint of {} entries", other.size)), "{other:?}: {said}");
    }
    // What the log did not sign accuses nobody, and neither does what nobody can check.
    let stranger = |name| SignerKey::from_seed(name, &[1; 32]);
    let (good, said) = reader.holds(name, Tree { root, ..tree }, &stranger).await?;
    ensure!(!good && said.contains("this log did not sign it") && !said.contains("names the root"), "{said}");
    let (good, said) = reader.audits("--checkpoint", &reader.folder.path().join("checkpoint")).await?;
    ensure!(!good && said.contains("name the log\u{2019}s with --log-key"), "{said}");
    let (good, said) = reader.holds(&format!("{name}/2"), tree, &log).await?;
    ensure!(!good && said.contains("this is an older copy of the log"), "{said}");
    Ok(())
}

/// The opening of an imported match, by a host with this key.
pub(crate) fn opening(chain: &mut Chain, host: &PlayerKey) -> Result<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/rules/8.1.bundle");
    let bundle = Bundle::read(&fs::read(path)?)?;
    let mut entry: Value = serde_json::from_slice(bundle.lines.first().context("an opening")?)?;
    entry["body"]["host_key"] = host.to_string().into();
    chain.add(Kind::Opened, "umpire:k3x9".parse()?, entry["body"].to_string())
}

#[tokio::test]
async fn a_log_has_one_host_key() -> Result<()> {
    let log = ServedLog::start().await?;
    let [mut one, mut two, mut three] = [Chain::new(1)?, Chain::new(2)?, Chain::new(3)?];
    log.grows([opening(&mut one, &player(11)?)?, opening(&mut two, &player(11)?)?]);
    let (good, said) = audits(&log.address, &[]).await?;
    ensure!(good, "{said}");
    log.grows([opening(&mut three, &player(12)?)?]);
    let (good, said) = audits(&log.address, &[]).await?;
    let expected = format!("its host key is {}, and earlier matches of this log have another", player(12)?);
    ensure!(!good && said.contains(&expected), "{said}");
    Ok(())
}
