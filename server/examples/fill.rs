//! Fills a database with recorded matches of every ruleset, for measuring: `matchbook db with --data-dir FOLDER -- cargo
//! run --release -p matchbook --example fill -- --data-dir FOLDER --matches 100000`, and then `matchbook db migrate --reindex`. The same
//! numbers give the same matches; names, events and days come from short lists. Signs nothing: a server that is started on
//! the database afterwards does.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use app::LOG;
use app::keys::Keys;
use app::system::System;
use clap::Parser;
use engine::{BySeat, Duel, Seat, Setup, Stream, To, Verdict};
use ledger::{Author, Commitment, Entry, Field, Hash, Head, MatchId, Moment, Origin};
use record::body::Tree;
use record::write::{self, NewEntries, NewMatch, Seal, WriteContext, WriteError};
use record::{History, IncrementalFold, Secret, Secrets};
use store::database::{Choice, Database};
use store::{Append, Identity, Store, Text, Writer};
use tokio::task::JoinSet;

/// The matches played at once: enough to keep the writer's batches full.
const AT_ONCE: usize = 256;
/// A random match that is still running after this many steps is ended by its umpire.
const STEPS: u32 = 60;
/// 2019-01-01; the date advances by a day after every few matches.
const FIRST_DAY: i64 = 1_546_300_800_000_000;

const FIRST: [&str; 24] = [
    "Ada", "Bram", "Cleo", "Dima", "Esme", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Liam", "Mina", "Nils",
    "Orla", "Pavel", "Quinn", "Rosa", "Sami", "Tove", "Uma", "Vito", "Wren", "Yara",
];
const LAST: [&str; 16] = [
    "Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Larch", "Maple", "Oak",
    "Pine", "Rowan", "Willow",
];
const EVENTS: [&str; 12] = [
    "Lantern Cup",
    "Harbour Open",
    "Winter Rooms",
    "Copper League",
    "Night Garden",
    "Paper Crown",
    "Tidewater",
    "The Long Table",
    "Foxglove",
    "Second Floor",
    "Clockhouse",
    "Meridian",
];

/// Fill a database with recorded matches.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many matches.
    #[arg(long, default_value_t = 1_000)]
    matches: u64,
    /// The database.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// The data folder of the server that will serve them: its keys are made here.
    #[arg(long, env = "MATCHBOOK_DATA_DIR")]
    data_dir: PathBuf,
}

/// SplitMix64.
struct Numbers(u64);

impl Stream for Numbers {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Numbers {
    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let at = self.below(u64::try_from(from.len()).ok()?);
        from.get(usize::try_from(at).ok()?).copied()
    }

    fn bytes(&mut self) -> [u8; 32] {
        let words: Vec<u8> = (0..4).flat_map(|_| self.word().to_be_bytes()).collect();
        std::array::from_fn(|at| words.get(at).copied().unwrap_or(0))
    }

    fn name(&mut self) -> String {
        format!("{} {}", self.pick(&FIRST).unwrap_or("Ada"), self.pick(&LAST).unwrap_or("Alder"))
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let database = Database::open(&Choice::Url(arguments.database_url)).await?;
    database.migrate().await?;
    let origin: Origin = "localhost/matchbook-filled".parse()?;
    let keys = Keys::open(&arguments.data_dir, &System::real())?;
    let host_key: Arc<str> = keys.host_public_text().into();
    let identity = Identity { origin, host_key: keys.host_public(), created_at: Moment::from_micros(FIRST_DAY)? };
    let store = Store::open(database.serving().clone(), LOG, &identity).await?;
    let (writer, _) = store.start_writer().await?;
    let entries = Arc::new(AtomicU64::new(0));
    let mut playing = JoinSet::new();
    for number in 0..arguments.matches {
        if playing.len() >= AT_ONCE {
            playing.join_next().await.context("a match")???;
        }
        let (store, writer, count) = (store.clone(), writer.clone(), entries.clone());
        let host_key = host_key.clone();
        playing.spawn(async move { play(number, &store, &writer, &host_key, &count).await });
        if number % 1_000 == 999 {
            eprintln!("{} matches begun, {} entries", number + 1, entries.load(Ordering::Relaxed));
        }
    }
    while let Some(played) = playing.join_next().await {
        played??;
    }
    println!("{} matches, {} entries", arguments.matches, entries.load(Ordering::Relaxed));
    drop((writer, store));
    database.close().await?;
    Ok(())
}

/// A match that is being written to the log.
struct Table<'a> {
    writer: &'a Writer,
    pen: Pen<'a>,
    /// The match so far; none before it is opened.
    folding: Option<IncrementalFold>,
    entries: u64,
    head: Head,
    tree: Tree,
    secrets: Secrets,
    /// The openings of seals that are not in the record yet.
    waiting: BTreeMap<Commitment, (Field, Secret)>,
}

/// The writer: the match, its clock and its random numbers.
struct Pen<'a> {
    origin: &'a Origin,
    match_id: MatchId,
    numbers: Numbers,
    now: i64,
}

async fn play(number: u64, store: &Store, writer: &Writer, host_key: &str, entries: &AtomicU64) -> Result<()> {
    let mut numbers = Numbers(number);
    let rulesets: Vec<_> = engine::rulesets().collect();
    let ruleset = numbers.pick(&rulesets).context("a ruleset")?.card();
    let items = if number.is_multiple_of(3) {
        ruleset.items.iter().take(1).map(ToString::to_string).collect()
    } else {
        Vec::new()
    };
    let days = i64::try_from(number / 40)?;
    let random = numbers.bytes();
    let id: [u8; 16] = std::array::from_fn(|at| random.get(at).copied().unwrap_or(0));
    let pen = Pen {
        origin: &store.log().origin,
        match_id: MatchId(uuid::Builder::from_random_bytes(id).into_uuid()),
        now: FIRST_DAY + days * 86_400_000_000 + i64::try_from(number % 40)? * 1_800_000_000,
        numbers,
    };
    let mut table = Table {
        writer,
        pen,
        folding: None,
        entries: 0,
        head: Head::GENESIS,
        tree: Tree { size: 0, root: Hash::ZERO },
        secrets: Secrets::new(),
        waiting: BTreeMap::new(),
    };
    let date = Moment::from_micros(table.pen.now)?.to_string().get(..10).map(str::to_owned);
    let new = NewMatch {
        setup: Setup {
            ruleset: ruleset.id.to_owned(),
            dmo: Some(Seat::P2),
            items: BySeat { p1: items, p2: Vec::new() },
            options: Vec::new(),
            declared: None,
        },
        names: BySeat { p1: table.pen.numbers.name(), p2: table.pen.numbers.name() },
        event: table.pen.numbers.pick(&EVENTS).map(|event| format!("{event} {}", 2019 + days / 365)),
        date,
        host_key: host_key.to_owned(),
        ..NewMatch::default()
    };
    let opened = table.pen.with_context(|desk| write::open(desk, &new))?;
    table.append(opened).await?;
    for _ in 0..STEPS {
        if !table.step().await? {
            break;
        }
    }
    if !table.history()?.outcome().is_over() {
        let verdict = table.pen.numbers.pick(&[Verdict::Won(Seat::P1), Verdict::Won(Seat::P2), Verdict::Undecided]);
        // The vocabulary is as large as people's, so that searches find common and rare words.
        let text = format!("The evening at table {} is over, by bell {}.", table.pen.numbers.below(900), number % 97);
        table.write(|desk, history, _| write::rule(desk, history, None, &text, verdict)).await?;
    }
    table.write(|desk, history, secrets| write::end(desk, history, secrets, Vec::new())).await?;
    entries.fetch_add(table.entries, Ordering::Relaxed);
    Ok(())
}

impl Pen<'_> {
    fn with_context<T>(&mut self, work: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>) -> Result<T> {
        self.now += 7_000_000 + i64::try_from(self.numbers.below(20_000_000))?;
        let (origin, numbers) = (self.origin, &mut self.numbers);
        let mut entropy = || numbers.bytes();
        let by: Author = "umpire:filler".parse()?;
        let at = Moment::from_micros(self.now)?;
        let (match_id, waiting) = (self.match_id, &write::NO_KEYS);
        Ok(work(&mut WriteContext { origin, match_id, by, at, waiting, entropy: &mut entropy })?)
    }
}

impl Table<'_> {
    fn history(&self) -> Result<&History> {
        Ok(self.folding.as_ref().context("an opened match")?.history())
    }

    /// Plays a random step; false if there is no question any more.
    async fn step(&mut self) -> Result<bool> {
        let history = self.folding.as_ref().context("an opened match")?.history();
        let Some(ask) = history.duel().asks().pop() else { return Ok(false) };
        if ask.to == To::Host {
            let Some(draw) = history.duel().draw(&mut self.pen.numbers) else { return Ok(false) };
            self.write(|desk, history, secrets| write::draw(desk, history, &draw, secrets)).await?;
            return Ok(true);
        }
        let seats = match ask.to {
            To::One(seat) => vec![seat],
            _ => Seat::BOTH.to_vec(),
        };
        let open = history.open.iter().rev().find(|open| open.puts(&ask)).context("an open decision")?;
        let decision = open.asked.decision.clone();
        let mut seals = Vec::new();
        for seat in seats {
            let text = sample(history.duel(), seat, &ask.what, &mut self.pen.numbers)?;
            let sent = self.pen.with_context(|desk| {
                let came = desk.at;
                Ok(write::prepare(desk, history, &decision, seat, &text)?.map(|sent| (sent, came)))
            })?;
            let Some((sent, came)) = sent else { continue };
            self.waiting.extend(sent.commitments.iter().copied().zip(sent.secrets));
            seals.push(Seal {
                seat,
                ordinal: 0,
                came,
                commitments: sent.commitments,
                sent_by: None,
                is_final: false,
                signature: None,
            });
        }
        self.write(|desk, history, _| write::seal(desk, history, &decision, &seals)).await?;
        let cover = write::Cover { tree: self.tree, witnessed: false };
        self.write(|desk, history, secrets| write::resolve(desk, history, &decision, secrets, cover)).await?;
        Ok(true)
    }

    async fn write(
        &mut self,
        work: impl FnOnce(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
    ) -> Result<()> {
        let (history, secrets) = (self.folding.as_ref().context("an opened match")?.history(), &self.secrets);
        let written = self.pen.with_context(|desk| work(desk, history, secrets))?;
        self.append(written).await
    }

    async fn append(&mut self, written: NewEntries) -> Result<()> {
        let match_id = self.pen.match_id;
        let texts = written.texts.into_iter();
        let texts: Vec<Text> =
            texts.map(|(commitment, text)| Text { commitment, key: text.key, text: text.text }).collect();
        let secrets = written.secrets.into_iter();
        self.waiting.extend(secrets.map(|(commitment, field, secret)| (commitment, (field, secret))));
        if written.drafts.is_empty() {
            return Ok(());
        }
        let expected = self.head;
        for draft in &written.drafts {
            let line = draft.write(match_id, self.head.next, self.head.leaf)?;
            let (entry, leaf) = (Entry::read(line.bytes())?, line.leaf());
            let text = std::str::from_utf8(line.bytes())?;
            let named = |commitment: &&Commitment| text.contains(&commitment.to_string());
            let placed: Vec<Commitment> = self.waiting.keys().filter(named).copied().collect();
            for commitment in placed {
                if let Some((field, secret)) = self.waiting.remove(&commitment) {
                    if let Some(folding) = &mut self.folding {
                        folding.know(self.head.next, field.clone(), secret.value.clone());
                    }
                    self.secrets.insert((self.head.next, field), secret);
                }
            }
            match &mut self.folding {
                Some(folding) => folding.push(&entry, leaf),
                None => {
                    let opened = IncrementalFold::open(self.pen.origin, &entry, leaf);
                    self.folding = Some(opened.map_err(|why| anyhow::anyhow!("match {match_id}: {why}"))?);
                }
            }
            self.entries += 1;
            self.head = Head { next: self.head.next.next().context("a place")?, leaf };
        }
        let appended = self
            .writer
            .append(Append { log_id: LOG, match_id, expected, drafts: written.drafts, texts, submit: None })
            .await?;
        anyhow::ensure!(appended.head == self.head, "the writer wrote something else than was made here");
        self.tree = Tree { size: appended.tree.size.0, root: appended.tree.root };
        Ok(())
    }
}

fn sample(duel: &Duel, seat: Seat, what: &str, numbers: &mut Numbers) -> Result<String> {
    duel.sample(seat, what, numbers).with_context(|| format!("a sample of {what}"))
}
