//! Collecting cosignatures from witnesses that work, die, come back, and lie.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::App;
use app::cosigning::{Cosigning, OtherHistory, SitePolicy, WitnessState, WitnessedCheckpoint};
use app::keys::Keys;
use app::signing::{NOT_SIGNED, Terms};
use app::system::System;
use audit::witness::LogKey;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use ledger::checkpoint::Checkpoint;
use ledger::{
    Author, CosignedAt, CosignerKey, Draft, Hash, Head, Kind, LogId, MatchId, Note, Policy, SignerKey, Tree, TreeSize,
};
use sqlx::postgres::PgConnectOptions;
use store::{Append, Identity, SignedCheckpoint, Store, Term, WitnessedTrees, Writer};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::database::database;
use crate::held_witness::{HeldWitness, now};
use crate::site::Site;
use crate::wait;
use crate::whole_match::{fixture, open};
use crate::witness::{Served, pool, witness_key};

/// A log that is appended to and signed by hand.
pub(crate) struct OurLog {
    store: Store,
    writer: Writer,
    system: Arc<System>,
    key: SignerKey,
    match_id: MatchId,
    head: Head,
    news: watch::Sender<u64>,
    stopped: Arc<Mutex<Vec<OtherHistory>>>,
}

impl OurLog {
    pub(crate) async fn start() -> Result<Self> {
        let system = Arc::new(System::real());
        let key = SignerKey::from_seed("example.com/ours".parse()?, &[5; 32]);
        let identity = Identity { origin: "example.com/ours".parse()?, host_key: [7; 32], created_at: system.now() };
        let store = Store::open(pool(database().await?), LogId(1), &identity).await?;
        let (writer, _) = store.start_writer().await?;
        let (match_id, news) = (MatchId(system.uuid()), watch::Sender::new(0));
        Ok(Self { store, writer, system, key, match_id, head: Head::GENESIS, news, stopped: Arc::default() })
    }

    fn log_key(&self) -> LogKey {
        self.key.verifier().to_string().parse().expect("a log")
    }

    /// Appends entries, signs the tree, and publishes it.
    pub(crate) async fn grow(&mut self, entries: u64) -> Result<SignedCheckpoint> {
        let draft =
            |n| Draft { at: self.system.now(), by: Author::P1, kind: Kind::Noted, body: format!(r#"{{"n":{n}}}"#) };
        let drafts = (0..entries).map(draft).collect();
        let append = Append {
            log_id: LogId(1),
            match_id: self.match_id,
            expected: self.head,
            drafts,
            texts: Vec::new(),
            submit: None,
        };
        self.head = self.writer.append(append).await?.head;
        let size = TreeSize(u64::from(self.head.next.0));
        let tree = Tree { size, root: self.store.root_at(size).await?.context("a root")? };
        let note =
            Checkpoint::new(self.store.log().origin.as_str().parse::<ledger::OriginLine>()?, tree).sign(&self.key);
        let signed = SignedCheckpoint { term: Term(0), tree, note: note.to_string(), at: self.system.now() };
        ensure!(self.store.sign(self.store.signed_head().await?, &signed).await?, "the head moved");
        self.news.send_modify(|news| *news += 1);
        Ok(signed)
    }

    /// Follows the witnesses of a policy.
    pub(crate) fn follow(&self, policy: &str) -> Result<Cosigning> {
        let trust = Arc::new(SitePolicy::of(Policy::read(policy.as_bytes())?)?);
        let terms = Terms::first(self.store.log().origin.clone(), self.key.verifier());
        let stopped = self.stopped.clone();
        let stop = move |other| stopped.lock().expect("a list").push(other);
        let answers = watch::Sender::new(());
        Ok(Cosigning::start(&self.store, &self.system, &trust, &terms, &self.news.subscribe(), stop, &answers))
    }

    pub(crate) fn stopped(&self) -> Vec<OtherHistory> {
        self.stopped.lock().expect("a list").clone()
    }

    pub(crate) async fn cosigned_by(&self, size: TreeSize) -> Result<Vec<String>> {
        Ok(self.store.cosignatures(Term(0), size).await?.into_iter().map(|cosignature| cosignature.witness).collect())
    }
}

/// Waits until a witness has the expected state.
pub(crate) async fn until(
    cosigning: &Cosigning,
    name: &str,
    is: impl Fn(&WitnessState) -> bool,
) -> Result<WitnessState> {
    wait::until(async || {
        let states = cosigning.states();
        let state = states.iter().find(|state| state.name == name).context("a witness")?;
        ensure!(is(state), "{name} never came there: {states:?}");
        Ok(state.clone())
    })
    .await
}

/// Waits until a checkpoint is reported as witnessed: its last cosignature is reported before the policy has judged it.
async fn until_witnessed(cosigning: &Cosigning, signed: &SignedCheckpoint) -> Result<WitnessedCheckpoint> {
    wait::until(async || {
        let witnessed = cosigning.witnessed();
        let shown = witnessed.as_ref().filter(|shown| shown.signed == *signed);
        shown.cloned().with_context(|| format!("it never came to {}: {witnessed:?}", signed.tree.size))
    })
    .await
}

fn line(name: &str, served: &Served) -> String {
    format!("witness {name} {} {}\n", served.key.verifier(), served.address)
}

pub(crate) fn at(size: TreeSize) -> impl Fn(&WitnessState) -> bool {
    move |state| state.cosigned.is_some_and(|(cosigned, _)| cosigned == size) && state.failure.is_none()
}

#[tokio::test]
async fn a_quorum_cosigns_and_goes_on_when_one_is_away() -> Result<()> {
    let mut log = OurLog::start().await?;
    let (keys, kept) = ([log.log_key()], database().await?);
    let one = Served::start("witness.example/one", &keys, database().await?).await?;
    let mut two = Served::start("witness.example/two", &keys, kept.clone()).await?;
    let away = witness_key("witness.example/away");
    let policy = format!(
        "{}{}witness away {} http://127.0.0.1:1\ngroup most 2 one two away\nquorum most\n",
        line("one", &one),
        line("two", &two),
        away.verifier()
    );
    let cosigning = log.follow(&policy)?;
    let trust = SitePolicy::of(Policy::read(policy.as_bytes())?)?;
    let mut newest = log.grow(1).await?;
    for entries in [1, 6, 250, 40] {
        until(&cosigning, "one", at(newest.tree.size)).await?;
        until(&cosigning, "two", at(newest.tree.size)).await?;
        let both = ["witness.example/one", "witness.example/two"];
        ensure!(log.cosigned_by(newest.tree.size).await? == both);
        newest = log.grow(entries).await?;
    }
    until(&cosigning, "one", at(newest.tree.size)).await?;
    until(&cosigning, "two", at(newest.tree.size)).await?;
    let failed = until(&cosigning, "away", |state| state.failure.is_some()).await?;
    ensure!(failed.cosigned.is_none() && failed.behind(newest.tree.size) == 298, "{failed:?}");
    let shown = until_witnessed(&cosigning, &newest).await?;
    ensure!(shown.stands_for(newest.term, newest.tree, newest.at));
    let standing = trust.status(&shown.note.parse()?, log.key.verifier())?;
    ensure!(standing.to_string() == "witnessed by 2 of 3, as the policy asks", "{standing}");

    // One dies. The log goes on, and the witnessed checkpoint stays the same.
    let address = two.address.clone();
    two.stop().await;
    let later = log.grow(3).await?;
    until(&cosigning, "one", at(later.tree.size)).await?;
    until(&cosigning, "two", |state| state.failure.is_some()).await?;
    ensure!(log.cosigned_by(later.tree.size).await? == ["witness.example/one"]);
    ensure!(cosigning.witnessed().is_some_and(|shown| shown.signed == newest));

    // It comes back with its database, and catches up.
    let listener = TcpListener::bind(address.trim_start_matches("http://")).await?;
    let _two = Served::at(listener, "witness.example/two", &keys, kept).await?;
    until(&cosigning, "two", at(later.tree.size)).await?;
    until_witnessed(&cosigning, &later).await?;
    ensure!(log.stopped().is_empty(), "{:?}", log.stopped());
    Ok(())
}

#[tokio::test]
async fn a_program_that_starts_again_asks_where_the_witness_stands() -> Result<()> {
    let mut log = OurLog::start().await?;
    let one = Served::start("witness.example/one", &[log.log_key()], database().await?).await?;
    let policy = format!("{}quorum one\n", line("one", &one));
    let first = log.grow(7).await?;
    let cosigning = log.follow(&policy)?;
    until(&cosigning, "one", at(first.tree.size)).await?;
    drop(cosigning);
    // It is asked for the same again: it may have seen more meanwhile.
    let cosigning = log.follow(&policy)?;
    until(&cosigning, "one", at(first.tree.size)).await?;
    until_witnessed(&cosigning, &first).await?;
    drop(cosigning);
    let second = log.grow(5).await?;
    let cosigning = log.follow(&policy)?;
    until(&cosigning, "one", at(second.tree.size)).await?;
    ensure!(log.stopped().is_empty());
    Ok(())
}

/// A server that answers every request in one way.
pub(crate) async fn liar(answer: impl Fn(String) -> Response + Clone + Send + Sync + 'static) -> Result<String> {
    let routes = Router::new().route("/add-checkpoint", post(async move |body: String| answer(body)));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(address)
}

pub(crate) fn size(text: &'static str) -> impl Fn(String) -> Response + Clone + Send + Sync + 'static {
    move |_| (StatusCode::CONFLICT, [(header::CONTENT_TYPE, "text/x.tlog.size")], text).into_response()
}

fn status(status: StatusCode, text: &'static str) -> impl Fn(String) -> Response + Clone + Send + Sync + 'static {
    move |_| (status, text).into_response()
}

/// The cosignature of the requested checkpoint.
pub(crate) fn cosigned(key: &CosignerKey, body: &str, at: CosignedAt) -> String {
    let note: Note = body.split_once("\n\n").map(|(_, note)| note).unwrap_or_default().parse().expect("a note");
    format!("{}\n", key.cosign(note.text(), at))
}

/// Cosigns the requested checkpoint, or another one, with some key.
pub(crate) fn signs(key: &str, other: bool) -> impl Fn(String) -> Response + Clone + Send + Sync + 'static {
    let key = witness_key(key);
    move |body| match other {
        true => format!("{}\n", key.cosign(&"another text\n".parse().expect("a text"), now())).into_response(),
        false => cosigned(&key, &body, now()).into_response(),
    }
}

#[tokio::test]
async fn nobody_is_believed_and_nobody_holds_the_log_up() -> Result<()> {
    let mut log = OurLog::start().await?;
    let honest = Served::start("witness.example/one", &[log.log_key()], database().await?).await?;
    let says = "witness.example/liar";
    let liars = [
        ("other-key", liar(signs("witness.example/other", false)).await?, "without a signature of the key"),
        ("other-text", liar(signs(says, true)).await?, "its cosignature is false"),
        ("page", liar(status(StatusCode::OK, "<html>welcome</html>")).await?, "its answer is no signature"),
        ("nothing", liar(status(StatusCode::OK, "")).await?, "its answer is no signature"),
        ("broken", liar(status(StatusCode::INTERNAL_SERVER_ERROR, "oh\u{1b}[2J no")).await?, "Error: oh[2J no"),
        ("unknown", liar(status(StatusCode::NOT_FOUND, "unknown log\n")).await?, "404 Not Found: unknown log"),
        ("moved", liar(status(StatusCode::FOUND, "")).await?, "it refused with 302"),
        ("stubborn", liar(size("0\n")).await?, "does not take the proof from there"),
        ("fickle", liar(fickle()).await?, "does not take the proof from there"),
        ("no-size", liar(status(StatusCode::CONFLICT, "0")).await?, "refuses the first checkpoint that it is shown: 0"),
        ("odd-size", liar(size("-1\n")).await?, "refuses the first checkpoint that it is shown: -1"),
        ("unproved", liar(status(StatusCode::UNPROCESSABLE_ENTITY, "no")).await?, "refuses the first checkpoint"),
        ("huge", liar(|_| "x".repeat(100_000).into_response()).await?, "larger than 65536 bytes"),
        ("away", "http://127.0.0.1:1".to_owned(), "the server cannot be reached"),
    ];
    let silent = TcpListener::bind("127.0.0.1:0").await?;
    let mut policy = line("one", &honest);
    for (number, (name, address, _)) in liars.iter().enumerate() {
        // Each has its own key, except for those whose signature is checked.
        let key = if *name == "other-text" { says.to_owned() } else { format!("liar.example/{number}") };
        policy.push_str(&format!("witness {name} {} {address}\n", witness_key(&key).verifier()));
    }
    let mute = witness_key("mute.example");
    policy.push_str(&format!("witness mute {} http://{}\nquorum one\n", mute.verifier(), silent.local_addr()?));
    let cosigning = log.follow(&policy)?;
    for entries in [3, 4, 300] {
        let newest = log.grow(entries).await?;
        until(&cosigning, "one", at(newest.tree.size)).await?;
        ensure!(log.cosigned_by(newest.tree.size).await? == ["witness.example/one"]);
    }
    for (name, _, said) in &liars {
        let state = until(&cosigning, name, |state| state.failure.is_some()).await?;
        let failure = state.failure.map(|(_, failure)| failure).unwrap_or_default();
        ensure!(failure.contains(said), "{name}: {failure}");
        ensure!(state.cosigned.is_none(), "{name}");
    }
    ensure!(log.stopped().is_empty(), "{:?}", log.stopped());
    Ok(())
}

/// Reports another size each time, all of them smaller than the log.
fn fickle() -> impl Fn(String) -> Response + Clone + Send + Sync + 'static {
    let asked = Arc::new(Mutex::new(0_u64));
    move |_| {
        let mut asked = asked.lock().expect("a count");
        *asked += 1;
        let text = format!("{}\n", 1 + *asked % 2);
        (StatusCode::CONFLICT, [(header::CONTENT_TYPE, "text/x.tlog.size")], text).into_response()
    }
}

#[tokio::test]
async fn slow_witnesses_of_a_busy_log_cosign_the_same_tree_while_somebody_waits() -> Result<()> {
    let mut log = OurLog::start().await?;
    let (one, two) = (HeldWitness::start("slow.example/one").await?, HeldWitness::start("slow.example/two").await?);
    let policy = format!("{}{}group both all one two\nquorum both\n", one.line("one"), two.line("two"));
    let first = log.grow(1).await?;
    let cosigning = log.follow(&policy)?;
    ensure!((one.is_asked(1).await?, two.is_asked(1).await?) == (1, 1));
    ensure!(!cosigning.quorum_answered(), "nobody has answered yet");
    // The second is still busy with the first tree when somebody begins to wait for the next one.
    one.answers(1);
    until(&cosigning, "one", at(first.tree.size)).await?;
    let wanted = log.grow(1).await?;
    ensure!(one.is_asked(2).await? == 2);
    cosigning.want(wanted.tree.size, wanted.clone(), "2100-01-01T00:00:00.000000Z".parse()?);
    one.answers(1);
    until(&cosigning, "one", at(wanted.tree.size)).await?;
    for _ in 0..3 {
        log.grow(1).await?;
    }
    two.answers(1);
    ensure!(two.is_asked(2).await? == 2, "not the newest of 5 entries: {:?}", two.asked());
    two.answers(1);
    let witnessed = until_witnessed(&cosigning, &wanted).await?;
    ensure!(witnessed.reached.is_some() && cosigning.quorum_answered());
    // Nobody waits any more, and both are sent the newest.
    ensure!((one.is_asked(3).await?, two.is_asked(3).await?) == (5, 5), "{:?} {:?}", one.asked(), two.asked());
    Ok(())
}

/// Waits until the signing is stopped, and returns the reason.
async fn until_stopped(log: &OurLog) -> Result<OtherHistory> {
    wait::until(async || log.stopped().into_iter().next().context("nobody stopped it")).await
}

const ONE: &str = "witness.example/one";

/// The database of the witness "one", which has already cosigned this tree of a log with this key.
async fn has_seen(key: &SignerKey, tree: Tree) -> Result<PgConnectOptions> {
    let options = database().await?;
    let seen = WitnessedTrees::open(pool(options.clone())).await?;
    let origin = key.verifier().name().as_str();
    ensure!(seen.advance(origin, None, tree, System::real().now()).await?);
    let mut note = Checkpoint::new(origin.parse::<ledger::OriginLine>()?, tree).sign(key);
    note.add(witness_key(ONE).cosign(note.text(), now()))?;
    seen.keep_note(origin, tree, &note.to_string()).await?;
    Ok(options)
}

#[tokio::test]
async fn a_witness_that_has_seen_more_stops_the_signing() -> Result<()> {
    let mut log = OurLog::start().await?;
    // This log signed it before its database was set back.
    let tree = Tree { size: TreeSize(1000), root: Hash::new([3; 32]) };
    let served = Served::start(ONE, &[log.log_key()], has_seen(&log.key, tree).await?).await?;
    log.grow(5).await?;
    let cosigning = log.follow(&format!("{}quorum one\n", line("one", &served)))?;
    let OtherHistory { by, what, held } = until_stopped(&log).await?;
    ensure!(by == "the witness one" && what.starts_with("it has cosigned 1000 entries, and the newest"), "{what}");
    ensure!(what.contains("it shows a checkpoint of 1000 entries with the root "), "{what}");
    ensure!(what.contains("this log's own signature"), "{what}");
    ensure!(Checkpoint::read(held.text())?.tree() == tree);
    let state = until(&cosigning, "one", |state| state.failure.is_some()).await?;
    ensure!(state.cosigned.is_none() && log.cosigned_by(TreeSize(5)).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_witness_that_has_seen_another_tree_stops_the_signing() -> Result<()> {
    for (seen, grown) in [(5, 5), (5, 9)] {
        let mut log = OurLog::start().await?;
        let tree = Tree { size: TreeSize(seen), root: Hash::new([3; 32]) };
        let served = Served::start(ONE, &[log.log_key()], has_seen(&log.key, tree).await?).await?;
        log.grow(grown).await?;
        let _cosigning = log.follow(&format!("{}quorum one\n", line("one", &served)))?;
        let OtherHistory { what, .. } = until_stopped(&log).await?;
        ensure!(what.starts_with("it has cosigned another tree of 5 entries than this log has"), "{what}");
    }
    Ok(())
}

/// The policy line of a witness of this site's log, and the witness.
async fn witness_of(site: &Site, name: &str, options: PgConnectOptions) -> Result<(String, Served)> {
    let key = site.app.signer().verifier(site.app.origin()).to_string().parse()?;
    let served = Served::start(&format!("witness.example/{name}"), &[key], options).await?;
    Ok((line(name, &served), served))
}

#[tokio::test]
async fn the_site_shows_what_was_cosigned() -> Result<()> {
    let site = Site::start().await?;
    let (one, witness) = witness_of(&site, "one", database().await?).await?;
    let away = witness_key("witness.example/away");
    let policy = format!("{one}witness away {} http://127.0.0.1:1\nquorum one\n", away.verifier());
    site.app.public_log.ask_witnesses(SitePolicy::of(Policy::read(policy.as_bytes())?)?).await?;
    let umpire = site.umpire().await?;
    open(&umpire, &fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?).await?;
    let cosigning = site.app.public_log.cosigning().context("it asks")?;
    let newest = site.app.signer().covering(TreeSize(1)).await?;
    until(cosigning, "one", |state| state.cosigned.is_some_and(|(size, _)| size >= newest.size)).await?;
    until(cosigning, "away", |state| state.failure.is_some()).await?;
    let note: Note = umpire.get("/checkpoint").await?.text.parse()?;
    let log = site.app.signer().verifier(site.app.origin());
    ensure!(note.verify([&log, witness.key.verifier()])?.len() == 2, "{note}");
    let page = umpire.get("/log").await?;
    page.says("witnessed by 1 of 2, as the policy asks")?.says("<strong>away</strong>: has not cosigned yet")?;
    page.says("the server cannot be reached")?;
    umpire.get("/healthz").await?.says(r#""name":"one""#)?.says(r#""behind":0"#)?;
    Ok(())
}

#[tokio::test]
async fn a_witness_that_has_seen_more_stops_the_site_from_signing() -> Result<()> {
    let site = Site::start().await?;
    let tree = Tree { size: TreeSize(1000), root: Hash::new([3; 32]) };
    let key = Keys::existing(site.data.path())?.log().named(site.app.origin().into()).expect("a key in a file");
    let (one, _witness) = witness_of(&site, "one", has_seen(&key, tree).await?).await?;
    let policy = SitePolicy::of(Policy::read(format!("{one}quorum one\n").as_bytes())?)?;
    site.app.public_log.ask_witnesses(policy).await?;
    let umpire = site.umpire().await?;
    open(&umpire, &fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?).await?;
    let mut standing = site.app.signer().watch();
    tokio::time::timeout(Duration::from_secs(30), standing.wait_for(|now| now.stopped.is_some())).await??;
    umpire.get("/checkpoint").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
    let page = umpire.get("/log").await?;
    page.says(NOT_SIGNED)?.says("the witness one holds a checkpoint of this log")?;
    page.says("it has cosigned 1000 entries")?;
    Ok(())
}

#[tokio::test]
async fn nothing_new_is_signed_before_the_witnesses_were_asked() -> Result<()> {
    let (options, data) = (database().await?, Arc::new(tempfile::tempdir()?));
    let site = Site::node(options.clone(), data.clone(), "checkpoint").await?;
    let umpire = site.umpire().await?;
    open(&umpire, &fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?).await?;
    let origin = site.app.origin().clone();
    site.app.signer().covering(TreeSize(1)).await?;
    let log = site.app.signer().verifier(&origin).to_string().parse()?;
    drop(umpire);
    site.stop().await?;
    // An entry that was not signed yet, as a crash leaves it, in a database that was set back.
    let system = System::real();
    let identity = Identity { origin: origin.clone(), host_key: [7; 32], created_at: system.now() };
    let store = Store::open(pool(options.clone()), app::LOG, &identity).await?;
    let before = store.latest_checkpoint().await?.context("it was signed")?;
    let (writer, _) = store.start_writer().await?;
    let draft = Draft { at: system.now(), by: Author::P1, kind: Kind::Noted, body: "{}".to_owned() };
    let match_id = MatchId(system.uuid());
    let (log_id, expected) = (app::LOG, Head::GENESIS);
    writer.append(Append { log_id, match_id, expected, drafts: vec![draft], texts: Vec::new(), submit: None }).await?;
    let keys = Keys::open(data.path(), &system)?;
    let tree = Tree { size: TreeSize(1000), root: Hash::new([3; 32]) };
    let log_key = keys.log().named((&origin).into()).expect("a key in a file");
    let kept = has_seen(&log_key, tree).await?;
    let witness = Served::start(ONE, &[log], kept).await?;

    let file = data.path().join("checkpoint");
    let app = App::open_held(pool(options), Arc::new(System::real()), keys, None, file).await?;
    let policy = Policy::read(format!("{}quorum one\n", line("one", &witness)).as_bytes())?;
    app.public_log.ask_witnesses(SitePolicy::of(policy)?).await?;
    app.public_log.first_answers().await?;
    let mut standing = app.signer().watch();
    tokio::time::timeout(Duration::from_secs(30), standing.wait_for(|now| now.stopped.is_some())).await??;
    let newest = store.latest_checkpoint().await?.context("the last one")?;
    ensure!(newest == before, "{newest:?}");
    ensure!(app.public_log.unconfirmed().is_some());
    Ok(())
}
