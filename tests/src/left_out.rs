//! Witnesses that answer, and count as away: one that contradicts the log without proof, one whose clock is off, and one
//! that is away.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::cosigning::SitePolicy;
use app::monitoring::Monitor;
use axum::Router;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use ledger::checkpoint::Checkpoint;
use ledger::{CosignedAt, Hash, Note, Policy, SignerKey, Tree, TreeSize};
use reqwest::StatusCode;
use tokio::net::TcpListener;

use crate::cosigning::{OurLog, at, cosigned, liar, signs, size, until};
use crate::held_witness::{HeldWitness, now};
use crate::site::Site;
use crate::wait;
use crate::whole_match::{fixture, open};
use crate::witness::witness_key;

/// A witness that can lie: it says that it has seen more, and shows a checkpoint that this key signed.
struct Liar {
    lies: Arc<AtomicBool>,
    line: String,
}

impl Liar {
    async fn start(log: &SignerKey) -> Result<Self> {
        let lies = Arc::new(AtomicBool::new(true));
        let tree = Tree { size: TreeSize(99_999_999), root: Hash::new([3; 32]) };
        let mut shown = Checkpoint::new(log.verifier().name().as_str().parse::<ledger::OriginLine>()?, tree).sign(log);
        shown.add(witness_key("liar.example").cosign(shown.text(), now()))?;
        let (answers, honest, is_lying) = (size("99999999\n"), signs("liar.example", false), lies.clone());
        let add = async move |body: String| if is_lying.load(SeqCst) { answers(body) } else { honest(body) };
        let show = async move || shown.to_string();
        let routes = Router::new().route("/add-checkpoint", post(add)).route("/{hash}/checkpoint", get(show));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let key = witness_key("liar.example");
        let line = format!("witness liar {} http://{}\n", key.verifier(), listener.local_addr()?);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Ok(Self { lies, line })
    }
}

#[tokio::test]
async fn a_witness_that_contradicts_without_proof_is_left_out_until_it_is_honest() -> Result<()> {
    let site = Site::start().await?;
    // What it shows is signed by itself, and not by the log.
    let liar = Liar::start(&SignerKey::from_seed(site.app.origin().into(), &[66; 32])).await?;
    let policy = format!("{}quorum liar\n", liar.line);
    site.app.public_log.ask_witnesses(SitePolicy::of(Policy::read(policy.as_bytes())?)?).await?;
    let umpire = site.umpire().await?;
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    open(&umpire, &played).await?;
    let cosigning = site.app.public_log.cosigning().context("it asks")?;
    let state = until(cosigning, "liar", |state| state.left_out).await?;
    let said = "it has cosigned 99999999 entries, and the newest checkpoint that this database knows of has";
    ensure!(state.failure.is_some_and(|(_, what)| what.starts_with(said) && what.ends_with("so it is left out")));
    // Everybody is told, and the site goes on.
    umpire.get("/log").await?.says("<strong>liar</strong> (left out, as if it were away): has not")?.says(said)?;
    umpire.get("/healthz").await?.is(StatusCode::OK)?.says(r#""left_out":true"#)?.says(said)?;
    let metrics = Monitor::new(site.app.clone(), site.data.path().to_owned()).text().await;
    ensure!(metrics.contains("matchbook_witness_left_out{witness=\"liar\"} 1"), "{metrics}");
    open(&umpire, &played).await?;
    site.app.signer().covering(site.app.logs.record().size().await?).await?;

    liar.lies.store(false, SeqCst);
    until(cosigning, "liar", |state| state.cosigned.is_some() && !state.left_out && state.failure.is_none()).await?;
    umpire.get("/healthz").await?.is(StatusCode::OK)?.says(r#""left_out":false"#)?;
    Ok(())
}

#[tokio::test]
async fn a_witness_whose_clock_is_off_counts_as_away() -> Result<()> {
    let mut log = OurLog::start().await?;
    let (mut policy, mut expected) = (String::new(), Vec::new());
    for (name, by, said) in [
        ("right", Some(0), None),
        ("a-little-slow", Some(-5), None),
        ("slow", Some(-3_600), Some("s slow, so its cosignatures do not count")),
        ("fast", Some(3_600), Some("s fast, so its cosignatures do not count")),
        ("timeless", None, Some("leaves out the time")),
    ] {
        let key = witness_key(name);
        policy.push_str(&format!("witness {name} {} ", key.verifier()));
        let answer = move |body: String| {
            let at = by.map_or(0, |by| now().seconds().saturating_add_signed(by));
            cosigned(&key, &body, CosignedAt::from_seconds(at).expect("a time")).into_response()
        };
        policy.push_str(&format!("{}\n", liar(answer).await?));
        expected.push((name, said));
    }
    log.grow(3).await?;
    let cosigning = log.follow(&format!("{policy}quorum right\n"))?;
    for (name, said) in expected {
        match said {
            None => drop(until(&cosigning, name, at(TreeSize(3))).await?),
            Some(said) => {
                let state = until(&cosigning, name, |state| state.left_out).await?;
                ensure!(state.failure.as_ref().is_some_and(|(_, what)| what.contains(said)), "{state:?}");
                ensure!(state.cosigned.is_none() && !log.cosigned_by(TreeSize(3)).await?.contains(&name.to_owned()));
            }
        }
    }
    ensure!(log.stopped().is_empty());
    Ok(())
}

#[tokio::test]
async fn witnesses_that_are_away_keep_nobody_from_the_newest_checkpoint() -> Result<()> {
    let site = Site::seeded("witnesses away").await?;
    let witness = HeldWitness::beside("witness.example/one", &site).await?;
    let policy = format!("{}quorum one\n", witness.line("one"));
    site.app.public_log.ask_witnesses(SitePolicy::of(Policy::read(policy.as_bytes())?)?).await?;
    let umpire = site.umpire().await?;
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    open(&umpire, &played).await?;
    let seen = TreeSize(witness.is_asked(1).await?);
    witness.answers(1);
    let cosigning = site.app.public_log.cosigning().context("it asks")?;
    until(cosigning, "one", at(seen)).await?;
    // From here on it answers nothing. A question comes, and nothing after it.
    open(&umpire, &played).await?;
    let newest = site.app.logs.record().size().await?;
    site.app.signer().covering(newest).await?;
    let shown = async |query: &str| -> Result<TreeSize> {
        let note: Note = umpire.get(&format!("/checkpoint{query}")).await?.text.parse()?;
        Ok(Checkpoint::read(note.text())?.tree().size)
    };
    ensure!(newest > seen);
    wait::until(async || {
        ensure!(shown("").await? == seen, "readers want what witnesses saw");
        Ok(())
    })
    .await?;
    ensure!(shown(&format!("?covers={newest}")).await? == newest, "whoever answers wants the question");
    ensure!(shown(&format!("?covers={seen}")).await? == seen);
    umpire.get("/checkpoint?covers=x").await?.is(StatusCode::BAD_REQUEST)?.says("as whole numbers")?;
    site.app.system().pass(Duration::from_secs(11));
    ensure!(shown("").await? == newest, "no witness saw it in ten seconds, and it is shown");
    Ok(())
}
