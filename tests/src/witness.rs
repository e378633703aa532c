//! `matchbook witness` as specified by c2sp.org/tlog-witness, against a log in memory.

use std::process::Stdio;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use app::system::System;
use audit::witness::{LogKey, Witness, routes};
use ledger::checkpoint::Checkpoint;
use ledger::{ConsistencyProof, CosignerKey, Hash, Note, Signature, SignerKey, Tree, TreeSize};
use reqwest::{Client, StatusCode};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use store::WitnessedTrees;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::database::database;
use crate::foreign_log::{ForeignLog, body};
use crate::program::binary;

const ORIGIN: &str = "example.com/behind the sofa";

/// A running witness, on a database that it may share.
pub(crate) struct Served {
    pub(crate) address: String,
    pub(crate) key: CosignerKey,
    http: Client,
    serving: Option<(oneshot::Sender<()>, JoinHandle<std::io::Result<()>>)>,
}

#[derive(Debug)]
pub(crate) struct Answered {
    status: StatusCode,
    content_type: String,
    text: String,
}

pub(crate) fn witness_key(name: &str) -> CosignerKey {
    let seed: [u8; 32] = std::array::from_fn(|at| name.as_bytes().get(at).copied().unwrap_or(9));
    CosignerKey::from_seed(name.parse().expect("a name"), &seed)
}

pub(crate) fn pool(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(4).connect_lazy_with(store::serving(options))
}

impl Served {
    /// Serves a witness of these logs.
    pub(crate) async fn start(name: &str, logs: &[LogKey], options: PgConnectOptions) -> Result<Self> {
        Self::at(TcpListener::bind("127.0.0.1:0").await?, name, logs, options).await
    }

    /// The same at a given address.
    pub(crate) async fn at(
        listener: TcpListener,
        name: &str,
        logs: &[LogKey],
        options: PgConnectOptions,
    ) -> Result<Self> {
        let key = witness_key(name);
        let logs = logs.iter().cloned().collect();
        let witness = Witness::open(key.clone(), logs, pool(options), System::real()).await?;
        let address = format!("http://{}", listener.local_addr()?);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = axum::serve(listener, routes(Arc::new(witness)));
        let serving = tokio::spawn(serving.with_graceful_shutdown(async move { drop(stopped.await) }).into_future());
        Ok(Self { address, key, http: Client::new(), serving: Some((stop, serving)) })
    }

    /// Stops answering, and releases the address.
    pub(crate) async fn stop(&mut self) {
        if let Some((stop, serving)) = self.serving.take() {
            drop(stop);
            drop(serving.await);
        }
    }

    async fn add(&self, body: impl Into<reqwest::Body>) -> Result<Answered> {
        answered(self.http.post(format!("{}/add-checkpoint", self.address)).body(body).send().await?).await
    }

    async fn shown(&self, log: &ForeignLog) -> Result<Answered> {
        let address = format!("{}/{}/checkpoint", self.address, log.origin.hash());
        answered(self.http.get(address).send().await?).await
    }
}

async fn answered(response: reqwest::Response) -> Result<Answered> {
    let status = response.status();
    let content_type = response.headers().get("content-type").map(|kind| kind.to_str().map(str::to_owned));
    let content_type = content_type.transpose()?.unwrap_or_default();
    Ok(Answered { status, content_type, text: response.text().await? })
}

impl Answered {
    /// Fails unless it is a valid cosignature of this checkpoint, with a time.
    fn is_cosignature(&self, key: &CosignerKey, note: &Note) -> Result<()> {
        ensure!(self.status == StatusCode::OK, "{self:?}");
        let [line] =
            Signature::read_lines(&self.text)?.try_into().map_err(|_| anyhow::anyhow!("one line: {self:?}"))?;
        let note = Note::with_signature(note.text().clone(), line);
        let signed = note.verify([key.verifier()])?;
        ensure!(signed.first().and_then(|signed| signed.time).is_some_and(|time| time.seconds() > 1_700_000_000));
        Ok(())
    }

    fn is_size(&self, size: u64) -> Result<()> {
        ensure!(self.status == StatusCode::CONFLICT && self.content_type == "text/x.tlog.size", "{self:?}");
        ensure!(self.text == format!("{size}\n"), "{self:?}");
        Ok(())
    }

    fn is_refused(&self, status: u16) -> Result<()> {
        ensure!(self.status.as_u16() == status, "{status} expected: {self:?}");
        ensure!(self.text.ends_with('\n') && !self.text.contains('\u{2014}'), "a sentence, no signature: {self:?}");
        Ok(())
    }
}

fn log_key(log: &ForeignLog) -> LogKey {
    format!("{}={}", log.origin, log.key.verifier()).parse().expect("a log")
}

async fn fresh() -> Result<(ForeignLog, Served)> {
    let log = ForeignLog::new(ORIGIN, 0, 0);
    let served = Served::start("witness.example/w1", &[log_key(&log)], database().await?).await?;
    Ok((log, served))
}

#[tokio::test]
async fn what_extends_the_last_is_cosigned() -> Result<()> {
    let (log, witness) = fresh().await?;
    let mut old = 0;
    // From the empty tree, from a full tree, to the next one, by one, far, and the same again.
    for new in [1, 2, 3, 7, 8, 200, 200, 256, 300] {
        let answer = witness.add(log.request(old, new)).await?;
        answer.is_cosignature(&witness.key, &log.note(new)).with_context(|| format!("{old} to {new}"))?;
        old = new;
    }
    Ok(())
}

#[tokio::test]
async fn an_empty_log_is_cosigned_too() -> Result<()> {
    let (log, witness) = fresh().await?;
    let forged = Tree { size: TreeSize(0), root: Hash::new([1; 32]) };
    let forged = Checkpoint::new(log.origin.clone(), forged).sign(&log.key).to_string();
    witness.add(body("0", &ConsistencyProof::default(), &forged)).await?.is_refused(422)?;
    witness.shown(&log).await?.is_refused(404)?;
    witness.add(log.request(0, 0)).await?.is_cosignature(&witness.key, &log.note(0))?;
    witness.add(log.request(0, 0)).await?.is_cosignature(&witness.key, &log.note(0))?;
    witness.add(log.request(0, 5)).await?.is_cosignature(&witness.key, &log.note(5))?;
    witness.add(log.request(0, 0)).await?.is_size(5)
}

#[tokio::test]
async fn another_size_than_the_last_is_told_the_last() -> Result<()> {
    let (log, witness) = fresh().await?;
    witness.add(log.request(3, 7)).await?.is_size(0)?;
    witness.add(log.request(0, 7)).await?.is_cosignature(&witness.key, &log.note(7))?;
    for (old, new) in [(0, 7), (0, 9), (3, 7), (3, 9), (6, 7), (8, 9)] {
        witness.add(log.request(old, new)).await?.is_size(7)?;
    }
    // A rollback: the size is right and the checkpoint is smaller.
    let smaller = body("7", &ConsistencyProof::default(), &log.note(5).to_string());
    witness.add(smaller).await?.is_refused(400)?;
    witness.add(log.request(0, 5)).await?.is_size(7)?;
    witness.add(log.request(7, 9)).await?.is_cosignature(&witness.key, &log.note(9))
}

#[tokio::test]
async fn a_fork_is_not_cosigned() -> Result<()> {
    let (log, witness) = fresh().await?;
    let fork = ForeignLog::new(ORIGIN, 1, 10);
    witness.add(log.request(0, 20)).await?.is_cosignature(&witness.key, &log.note(20))?;
    // The same size with another root; a valid proof of the other history; the first history's proof for it.
    witness.add(fork.request(20, 20)).await?.is_refused(422)?;
    witness.add(fork.request(20, 30)).await?.is_refused(422)?;
    witness.add(body("20", &log.proof(20, 30), &fork.note(30).to_string())).await?.is_refused(422)?;
    let shown = witness.shown(&log).await?;
    ensure!(shown.text.starts_with(&log.note(20).to_string()), "it still shows the first: {shown:?}");
    witness.add(log.request(20, 30)).await?.is_cosignature(&witness.key, &log.note(30))
}

#[tokio::test]
async fn a_proof_has_to_be_exact() -> Result<()> {
    let (log, witness) = fresh().await?;
    let none = ConsistencyProof::default();
    let one = ConsistencyProof { path: vec![Hash::ZERO] };
    witness.add(body("0", &one, &log.note(6).to_string())).await?.is_refused(422)?;
    witness.add(log.request(0, 6)).await?.is_cosignature(&witness.key, &log.note(6))?;
    witness.add(body("6", &one, &log.note(6).to_string())).await?.is_refused(422)?;
    let note = log.note(11).to_string();
    witness.add(body("6", &none, &note)).await?.is_refused(422)?;
    let good = log.proof(6, 11);
    for at in 0..good.path.len() {
        let mut missing = good.clone();
        missing.path.remove(at);
        witness.add(body("6", &missing, &note)).await?.is_refused(422)?;
        let mut doubled = good.clone();
        doubled.path.insert(at, good.path[at]);
        witness.add(body("6", &doubled, &note)).await?.is_refused(422)?;
        let mut flipped = good.clone();
        let mut bytes = *good.path[at].bytes();
        bytes[31] ^= 1;
        flipped.path[at] = Hash::new(bytes);
        witness.add(body("6", &flipped, &note)).await?.is_refused(422)?;
    }
    witness.add(body("6", &good, &note)).await?.is_cosignature(&witness.key, &log.note(11))
}

#[tokio::test]
async fn a_request_has_one_notation() -> Result<()> {
    let (log, witness) = fresh().await?;
    let (good, note) = (log.request(0, 6), log.note(6).to_string());
    let hash = Hash::ZERO.to_base64();
    let mut refused: Vec<Vec<u8>> =
        ["", "old 0\n", "old 0\n\n", "0\n\n", &format!("old 0\n{note}")].map(Into::into).into();
    for old in ["", " 0", "00", "01", "+0", "-1", "0 ", "0x0", "18446744073709551616"] {
        refused.push(body(old, &ConsistencyProof::default(), &note).into());
    }
    for line in [hash.trim_end_matches('='), &hash.replace("A=", "B="), "abc=", &format!("{hash} "), "\t"] {
        refused.push(format!("old 0\n{line}\n\n{note}").into());
    }
    refused.push(format!("Old 0\n\n{note}").into());
    refused.push(format!("old 0\r\n\r\n{note}").into());
    refused.push(body("0", &ConsistencyProof { path: vec![Hash::ZERO; 64] }, &note).into());
    refused.push([good.as_bytes(), &[0xff]].concat());
    for text in ["example.com/behind the sofa\n06\nroot\n", "\n6\n", "example.com/behind the sofa\n6\nAAAA\n"] {
        let text: ledger::NoteText = text.parse()?;
        refused.push(format!("old 0\n\n{}", Note::sign(text, &log.key)).into());
    }
    for request in refused {
        let text = String::from_utf8_lossy(&request).into_owned();
        witness.add(request).await?.is_refused(400).with_context(|| text)?;
    }
    let huge = witness.add("old 0\n".repeat(100_000)).await?;
    ensure!(huge.status == StatusCode::PAYLOAD_TOO_LARGE, "{huge:?}");
    // The largest allowed number of hashes is parsed, and is too large for this tree.
    witness.add(body("0", &ConsistencyProof { path: vec![Hash::ZERO; 63] }, &note)).await?.is_refused(422)?;
    witness.add(good).await?.is_cosignature(&witness.key, &log.note(6))
}

#[tokio::test]
async fn only_the_logs_own_key_counts() -> Result<()> {
    let (log, witness) = fresh().await?;
    let unknown = ForeignLog::new("example.com/nobody watches this", 0, 0);
    witness.add(unknown.request(0, 6)).await?.is_refused(404)?;
    let none = ConsistencyProof::default();
    let text = log.note(6).text().clone();
    let stranger = SignerKey::from_seed("example.com/stranger".parse()?, &[7; 32]);
    let namesake = SignerKey::from_seed("example.com/log".parse()?, &[7; 32]);
    for key in [&stranger, &namesake] {
        let note = Note::sign(text.clone(), key).to_string();
        witness.add(body("0", &none, &note)).await?.is_refused(403)?;
    }
    // The right name and id, with the signature of another text.
    let moved = log.note(7).to_string().replace(&log.note(7).text().to_string(), &text.to_string());
    witness.add(body("0", &none, &moved)).await?.is_refused(403)?;
    // The text, with nothing or nonsense in place of the signatures.
    witness.add(body("0", &none, &format!("{text}\n"))).await?.is_refused(403)?;
    witness.add(body("0", &none, &format!("{text}\n\u{2014} example.com/log !\n"))).await?.is_refused(403)?;
    // An invalid line beside a valid one makes the note malformed.
    let mut mixed = log.note(6);
    mixed.add(log.note(7).signatures()[0].clone())?;
    witness.add(body("0", &none, &mixed.to_string())).await?.is_refused(403)?;
    // Lines by unknown keys are ignored, even many of them, and are not passed on.
    let mut crowded = log.note(6);
    for n in 0..15 {
        let other = SignerKey::from_seed(format!("example.com/{n}").parse()?, &[n; 32]);
        crowded.add(other.sign(&text))?;
    }
    crowded.add(namesake.sign(&text))?;
    witness.add(body("0", &none, &crowded.to_string())).await?.is_cosignature(&witness.key, &log.note(6))?;
    let shown = Note::read(witness.shown(&log).await?.text.as_bytes())?;
    ensure!(shown.signatures().len() == 2, "{shown}");
    ensure!(shown.verify([log.key.verifier(), witness.key.verifier()])?.len() == 2, "{shown}");
    Ok(())
}

#[tokio::test]
async fn extension_lines_are_signed_with_the_rest() -> Result<()> {
    let (log, witness) = fresh().await?;
    let extended = Checkpoint::new(log.origin.clone(), log.tree(6)).with_extension("and more".parse()?).sign(&log.key);
    let request = body("0", &ConsistencyProof::default(), &extended.to_string());
    witness.add(request).await?.is_cosignature(&witness.key, &extended)
}

#[tokio::test]
async fn a_log_between_two_keys() -> Result<()> {
    let log = ForeignLog::new(ORIGIN, 0, 0);
    let next = SignerKey::from_seed("example.com/next".parse()?, &[8; 32]);
    let second = format!("{ORIGIN}={}", next.verifier()).parse()?;
    let witness = Served::start("witness.example/w1", &[log_key(&log), second], database().await?).await?;
    witness.add(log.request(0, 3)).await?.is_cosignature(&witness.key, &log.note(3))?;
    let note = Note::sign(log.note(5).text().clone(), &next);
    witness.add(body("3", &log.proof(3, 5), &note.to_string())).await?.is_cosignature(&witness.key, &note)
}

#[tokio::test]
async fn who_watches_sees_what_was_cosigned() -> Result<()> {
    let (log, witness) = fresh().await?;
    witness.shown(&log).await?.is_refused(404)?;
    let mut old = 0;
    for new in [4, 9] {
        let answer = witness.add(log.request(old, new)).await?;
        let shown = witness.shown(&log).await?;
        ensure!(
            shown.status == StatusCode::OK && shown.text == format!("{}{}", log.note(new), answer.text),
            "{shown:?}"
        );
        old = new;
    }
    let nobody = witness.http.get(format!("{}/{}/checkpoint", witness.address, Hash::ZERO)).send().await?;
    answered(nobody).await?.is_refused(404)?;
    let page = answered(witness.http.get(&witness.address).send().await?).await?.text;
    for said in ["This is witness.example/w1, a witness", &witness.key.verifier().to_string(), ORIGIN, "9 entries"] {
        ensure!(page.contains(said), "{said}: {page}");
    }
    let wrong = witness.http.get(format!("{}/add-checkpoint", witness.address)).send().await?;
    ensure!(wrong.status() == StatusCode::METHOD_NOT_ALLOWED);
    Ok(())
}

#[tokio::test]
async fn two_processes_never_cosign_past_each_other() -> Result<()> {
    let (log, options) = (ForeignLog::new(ORIGIN, 0, 0), database().await?);
    let fork = ForeignLog::new(ORIGIN, 1, 0);
    let one = Served::start("witness.example/w1", &[log_key(&log)], options.clone()).await?;
    let two = Served::start("witness.example/w1", &[log_key(&log)], options.clone()).await?;
    // Two histories from the empty tree, at once, at both: exactly one of them is cosigned.
    let (a, b, c, d) = tokio::join!(
        one.add(log.request(0, 9)),
        two.add(fork.request(0, 9)),
        one.add(fork.request(0, 12)),
        two.add(log.request(0, 12))
    );
    let answers = [a?, b?, c?, d?];
    let cosigned = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    ensure!(cosigned == 1, "{answers:?}");
    let told = answers.iter().filter(|answer| answer.status == StatusCode::CONFLICT).count();
    ensure!(told == 3, "{answers:?}");
    // From then on, sizes only grow, for any number of requests.
    let seen = WitnessedTrees::open(pool(options)).await?;
    let first = seen.seen(ORIGIN).await?.context("one was cosigned")?;
    let log = if first == log.tree(first.size.0) { log } else { fork };
    let mut size = first.size.0;
    for round in 0..10 {
        let (a, b, c, d) = tokio::join!(
            one.add(log.request(size, size + 4)),
            two.add(log.request(size, size + 3)),
            one.add(log.request(size, size + 2)),
            two.add(log.request(size, size + 1))
        );
        let answers = [a?, b?, c?, d?];
        let cosigned: Vec<_> = (0..4).filter(|at| answers[*at as usize].status == StatusCode::OK).collect();
        ensure!(cosigned.len() == 1, "all asked from {size}, and one was first: {answers:?}");
        let largest = size + 4 - cosigned[0];
        let now = seen.seen(ORIGIN).await?.context("a tree")?;
        ensure!(now == log.tree(largest), "round {round}: {now:?}");
        size = largest;
    }
    Ok(())
}

#[tokio::test]
async fn stored_and_never_answered_it_can_be_asked_for_again() -> Result<()> {
    let (log, options) = (ForeignLog::new(ORIGIN, 0, 0), database().await?);
    // As after a crash between the row and the signature.
    let seen = WitnessedTrees::open(pool(options.clone())).await?;
    ensure!(seen.advance(ORIGIN, None, log.tree(6), System::real().now()).await?);
    let witness = Served::start("witness.example/w1", &[log_key(&log)], options).await?;
    witness.shown(&log).await?.is_refused(404)?;
    witness.add(log.request(0, 6)).await?.is_size(6)?;
    witness.add(ForeignLog::new(ORIGIN, 1, 0).request(6, 6)).await?.is_refused(422)?;
    witness.add(log.request(6, 6)).await?.is_cosignature(&witness.key, &log.note(6))?;
    ensure!(witness.shown(&log).await?.status == StatusCode::OK);
    Ok(())
}

/// The running program.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    async fn start(folder: &TempDir, key: &str, log: &LogKey) -> Result<Self> {
        let mut command = Command::new(binary()?);
        command.args(["witness", "--listen", "127.0.0.1:0", "--private-key", key, "--log"]);
        command.arg(format!("{}={}", log.origin, log.key)).arg("--data-dir").arg(folder.path().join("data"));
        command.env_remove("DATABASE_URL").kill_on_drop(true).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut said = BufReader::new(child.stdout.take().context("its output")?).lines();
        while let Some(line) = said.next_line().await? {
            if let Some(address) = line.strip_prefix("The witness is at ") {
                let address = address.trim_end_matches('/').to_owned();
                tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
                return Ok(Self { child, address });
            }
        }
        anyhow::bail!("the program ended before it listened")
    }

    async fn kill(mut self) -> Result<()> {
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(())
    }
}

#[tokio::test]
async fn killed_at_any_moment_it_forgets_nothing_that_it_cosigned() -> Result<()> {
    let folder = tempfile::Builder::new().prefix("matchbook-witness").tempdir_in("/tmp")?;
    let log = ForeignLog::new(ORIGIN, 0, 0);
    let key = witness_key("witness.example/w1");
    // One run reads the key as text, as foreign test suites pass it, and the others from a file.
    let file = folder.path().join("witness.key");
    std::fs::write(&file, format!("{}\n", key.to_private_text()))?;
    let file = file.to_string_lossy().into_owned();
    let (mut cosigned, mut asked) = (0_u64, 0);
    for round in 0..6 {
        let key_text = if round == 0 { key.to_private_text() } else { file.clone() };
        let program = Program::start(&folder, &key_text, &log_key(&log)).await?;
        let http = Client::new();
        let address = format!("{}/add-checkpoint", program.address);
        let add = |old: u64, new: u64| http.post(&address).body(log.request(old, new)).send();
        // The state after the last kill: the last cosigned tree, or the tree requested and stored then.
        let stands = answered(add(0, 0).await?).await?;
        let size: u64 = if stands.status == StatusCode::OK { 0 } else { stands.text.trim_end().parse()? };
        ensure!(size == cosigned || size == asked, "round {round}: {size}, not {cosigned} or {asked}");
        // A tree that was stored without an answer can be requested again.
        answered(add(size, size).await?).await?.is_cosignature(&key, &log.note(size))?;
        answered(add(size, size + 3).await?).await?.is_cosignature(&key, &log.note(size + 3))?;
        (cosigned, asked) = (size + 3, size + 8);
        let last = tokio::spawn(add(cosigned, asked));
        tokio::time::sleep(std::time::Duration::from_millis(round * 2)).await;
        program.kill().await?;
        if matches!(last.await?, Ok(answer) if answer.status() == StatusCode::OK) {
            cosigned = asked;
        }
    }
    Ok(())
}
