//! A seat's actions stay secret before its decision closes: matches that differ only in one seat's submissions and
//! their number look the same to everybody else, byte for byte. All of them share one clock and entropy.

use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use app::commands::TypedMove;
use app::{Act, by_umpire, form_of};
use engine::{BySeat, Duel, Seat};
use ledger::{MatchId, TreeSize};
use record::body::Closing;
use serde_json::json;
use tempfile::TempDir;

use super::crawl::{self, Read};
use super::signed::Script;
use super::table::{RULESET, Table};
use crate::heard::Heard;
use crate::site::Site;
use crate::umpire_acts::act_on;
use crate::wait::until;

/// Everything public, and everything that the opponent may see or receive.
pub(crate) async fn everything(table: &Table, pictures: bool) -> Result<Read> {
    // The log signs by its own clock, so both are read after everything is signed.
    let history = table.history().await?;
    table.site.app.public_log.placed(history.match_id, &[ledger::Seq(history.head.next.0 - 1)]).await?;
    let mut read = crawl::everything(&table.site.visitor()?, &table.slug, pictures).await?;
    read.extend(crawl::own(&table.p2.guest, &table.p2.home).await?);
    // The opponent's requests get the same answers: read back, refused, and late.
    for (decision, text) in [("d1", "nonsense"), ("d99", "grow"), ("d1", "")] {
        for action in ["read", "submit"] {
            let fields = [("decision", decision), ("submit", "00000000000000000000000000000001"), ("move", text)];
            let page = table.p2.guest.post(&format!("{}/{action}", table.p2.home), &fields).await?;
            read.insert(format!("{action} {decision} {text}"), format!("{}\n{}", page.status, page.text));
        }
    }
    let stranger = table.site.visitor()?.get(&table.p1.home).await?;
    read.insert("a stranger at the seat".to_owned(), format!("{}\n{}", stranger.status, stranger.text));
    Ok(read)
}

/// The opponent submits its own answer, twice: its receipts depend only on itself.
async fn opponent_sends(table: &Table, texts: &[&str]) -> Result<Read> {
    let mut read = Read::new();
    for text in texts {
        let page = table.p2.submits(text).await?;
        read.insert(format!("the opponent sends {text}"), format!("{}\n{}", page.status, page.text));
    }
    read.extend(crawl::own(&table.p2.guest, &table.p2.home).await?);
    Ok(read)
}

/// Fails if two readings differ.
pub(crate) fn alike(what: &str, one: &Read, other: &Read) -> Result<()> {
    let paths = |read: &Read| read.keys().cloned().collect::<Vec<_>>();
    ensure!(paths(one) == paths(other), "{what}: {:?} and {:?}", paths(one), paths(other));
    let line = |text: &str, n: usize| text.lines().nth(n).map(str::to_owned);
    let first = |one: &str, other: &str| {
        let lines = one.lines().count().max(other.lines().count());
        (0..lines).map(|n| (line(one, n), line(other, n))).find(|(one, other)| one != other)
    };
    // Every byte counts; the first line that differs is for the reader of a failure.
    let differs = one.iter().filter(|(path, one)| other.get(*path) != Some(*one));
    let differs: Vec<_> =
        differs.map(|(path, one)| (path, other.get(path).and_then(|other| first(one, other)))).collect();
    ensure!(differs.is_empty(), "{what}: these tell them apart: {differs:#?}");
    Ok(())
}

/// The actions of the first seat.
enum Doing<'d> {
    /// Submits these lines, unsigned.
    Sends(&'d [&'d str]),
    /// Submits these lines, signed with the seat's key, which is always registered.
    Signs(&'d [&'d str]),
    /// Submits these lines in a match that may close early, final ones among them.
    Finals(&'d [(&'d str, bool)]),
}

/// The visible data, at once and later, and the data folder: a site goes on signing after its last reader.
async fn looks(doing: &Doing<'_>, pictures: bool) -> Result<(Vec<Read>, Arc<TempDir>)> {
    let (heard, _guard) = Heard::listening();
    let site = Site::seeded("a live match").await?;
    let early = if matches!(doing, Doing::Finals(_)) { "on" } else { "" };
    let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("event", "Cup"), ("early", early)]).await?;
    match doing {
        Doing::Finals(lines) => {
            for (line, is_final) in *lines {
                table.p1.submits_final(line, *is_final).await?.says("move received.")?;
            }
            // Nothing closes, however long the server has for it.
            table.settles().await;
        }
        Doing::Sends(lines) => {
            for line in *lines {
                table.p1.submits(line).await?;
            }
        }
        Doing::Signs(lines) => {
            let script = Script::registered(&table).await?;
            for line in *lines {
                script.sends(&table, &table.p1, line, "").await?.says("move received.")?;
            }
        }
    }
    // A feed that nobody watches is closed after some seconds, and tells the time at which it is opened again. So somebody
    // watches, however long the crawl takes.
    let watcher = table.site.visitor()?;
    let _watching = watcher.http.get(format!("{}/m/{}/events", watcher.address, table.slug)).send().await?;
    let first = everything(&table, pictures).await?;
    // The clock runs on, and still nothing is shown.
    table.passes(5);
    let mut later = everything(&table, false).await?;
    later.extend(opponent_sends(&table, &["claim", "claim grow"]).await?);
    later.insert("the program's log".to_owned(), heard.said_in_time());
    Ok((vec![first, later], table.site.data))
}

#[tokio::test]
async fn what_a_seat_sends_is_told_nowhere_before_the_close() -> Result<()> {
    let (nothing, _data) = looks(&Doing::Sends(&[]), true).await?;
    let mut kept = Vec::new();
    println!("{} answers", nothing[0].len());
    let lines: [&[&str]; 3] = [&["grow"], &["claim"], &["grow", "nonsense", "claim", "steal", "-", "score grow"]];
    for sent in lines {
        let (found, data) = looks(&Doing::Sends(sent), sent.len() > 1).await?;
        kept.push(data);
        for (expected, found) in nothing.iter().zip(&found) {
            let mut expected = expected.clone();
            expected.retain(|path, _| found.contains_key(path) || !crawl::is_picture(path));
            alike(&format!("{sent:?}"), &expected, found)?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_a_seat_signs_is_told_nowhere_before_the_close() -> Result<()> {
    let (nothing, _data) = looks(&Doing::Signs(&[]), false).await?;
    let mut kept = Vec::new();
    for sent in [&["grow"][..], &["grow", "claim", "steal"]] {
        let (found, data) = looks(&Doing::Signs(sent), false).await?;
        kept.push(data);
        for (expected, found) in nothing.iter().zip(&found) {
            alike(&format!("signed {sent:?}"), expected, found)?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_a_seat_calls_final_is_told_nowhere_before_the_close() -> Result<()> {
    let (nothing, _data) = looks(&Doing::Finals(&[]), false).await?;
    let mut kept = Vec::new();
    let lines: [&[(&str, bool)]; 3] =
        [&[("grow", false)], &[("grow", true)], &[("grow", true), ("claim", false), ("score grow", true)]];
    for sent in lines {
        let (found, data) = looks(&Doing::Finals(sent), false).await?;
        kept.push(data);
        for (expected, found) in nothing.iter().zip(&found) {
            alike(&format!("{sent:?}"), expected, found)?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn the_umpire_reads_nothing_of_what_is_final() -> Result<()> {
    let mut consoles = Vec::new();
    for is_final in [false, true] {
        let site = Site::seeded("a live match").await?;
        let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("early", "on"), ("looks", "on")]).await?;
        table.p1.submits_final("grow", is_final).await?.says("move received.")?;
        table.settles().await;
        let history = table.history().await?;
        table.site.app.public_log.placed(history.match_id, &[ledger::Seq(history.head.next.0 - 1)]).await?;
        let console = table.umpire.get(&table.console).await?;
        console.says("valid, sent by the player")?.says("Closes once both call their move final, or at")?;
        consoles.push(console.text.replace(&table.site.address, "SITE"));
    }
    assert_eq!(consoles[0], consoles[1]);
    Ok(())
}

/// A match before a question with hidden answers.
struct Way {
    ruleset: &'static str,
    /// The steps before it.
    steps: &'static [&'static str],
    /// The question, and the first seat's legal answers.
    what: &'static str,
    sent: [&'static str; 2],
}

const WAYS: [Way; 10] = [
    Way { ruleset: "five-card-trick/zeros-gauntlet", steps: &[], what: "round", sent: ["score grow", "claim steal"] },
    Way {
        ruleset: "five-card-trick/zeros-gauntlet-final",
        steps: &[],
        what: "round",
        sent: ["score grow", "claim claim"],
    },
    Way { ruleset: "five-card-trick/legends-untold", steps: &[], what: "round", sent: ["raise", "block:steal"] },
    Way {
        ruleset: "five-card-trick/genius-puzzler",
        steps: &["grow / block:grow"],
        what: "round",
        sent: ["grow", "block:score"],
    },
    Way {
        ruleset: "three-card/simply-genius",
        steps: &["grow / claim"],
        what: "round",
        sent: ["nothing", "steal claim"],
    },
    Way {
        ruleset: "thwart-13/dm-colosseum-2",
        steps: &["TH / 2C", "back / front"],
        what: "select",
        sent: ["pass", "AS"],
    },
    Way { ruleset: "thwart-13/legends-untold", steps: &["TH / 2C"], what: "action", sent: ["front", "discard"] },
    Way {
        ruleset: "devils-deal/blooming-genius",
        steps: &[
            "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9",
            "p2: start p1",
            "p1: stand",
            "p2: stand",
            "host: community R5",
        ],
        what: "private",
        sent: ["G5 R2", "B7 B1"],
    },
    Way {
        ruleset: "devils-deal/blooming-genius",
        steps: &[
            "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9",
            "p2: start p1",
            "p1: refill",
            "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6",
        ],
        what: "divide",
        sent: ["divide none", "divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7"],
    },
    Way {
        ruleset: "higher-lower/tempo-up",
        steps: &["p2: colour pink"],
        what: "assign",
        sent: ["assign A square B1 B9 B6", "assign A circle E6 E2 E7"],
    },
];

/// Plays a line as the umpire.
pub(super) async fn plays(table: &Table, id: MatchId, line: &str) -> Result<()> {
    let umpire = app::account::named(table.site.app.pool(), &table.site.umpire_name).await?;
    let app = &table.site.app;
    let history = app.matches.history(id).await?;
    // What is signed before the seals, and so which tree the opening names, does not depend on the signer's pace.
    app.signer().covering(TreeSize(u64::from(history.head.next.0))).await?;
    let act =
        |part: &str| Act { by: by_umpire(&umpire.id), form: form_of(&["way", &history.head.next.to_string(), part]) };
    if let Some(draw) = line.strip_prefix("host: ") {
        let draw = act_on(history.head, "draw", json!({ "text": draw, "early": true }))?;
        app.commands.perform(&act("draw"), id, &draw).await?;
        return Ok(());
    }
    let moves: BySeat<Option<&str>> = match line.split_once(" / ") {
        Some((p1, p2)) => BySeat { p1: Some(p1), p2: Some(p2) },
        None => BySeat { p1: line.strip_prefix("p1: "), p2: line.strip_prefix("p2: ") },
    };
    let open = history.open.iter().rev().find(|open| {
        Seat::BOTH.into_iter().all(|seat| open.asked.seats.iter().any(|asked| asked.0 == seat) == moves[seat].is_some())
    });
    let asked = &open.with_context(|| format!("nobody is asked for {line}"))?.asked;
    let decision = asked.decision.clone();
    for seat in Seat::BOTH {
        if let Some(text) = moves[seat] {
            let typed = TypedMove { decision: &decision, seat, text, sent: None, is_edited: false };
            app.commands.type_sent(&act(seat.word()), id, typed).await?;
        }
    }
    if asked.closes == Closing::FirstValid {
        // The server closes it at once. An umpire who closed it too would sometimes be first, and then the entry says so.
        return until(async || {
            let now = app.matches.history(id).await?;
            ensure!(now.steps.len() > history.steps.len(), "{line} is not resolved yet");
            Ok(())
        })
        .await;
    }
    app.recorder.close_now(&act("close"), id, &decision).await?;
    Ok(())
}

/// The umpire closes a question.
pub(super) async fn closes(table: &Table, id: MatchId, decision: &ledger::DecisionId) -> Result<()> {
    let umpire = app::account::named(table.site.app.pool(), &table.site.umpire_name).await?;
    let act = Act { by: by_umpire(&umpire.id), form: form_of(&["way", decision.as_str(), "close"]) };
    table.site.app.recorder.close_now(&act, id, decision).await?;
    Ok(())
}

async fn goes(way: &Way, sent: &[&str]) -> Result<(Read, Arc<TempDir>)> {
    let (heard, _guard) = Heard::listening();
    let table = Table::typed(way.ruleset).await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    for line in way.steps {
        plays(&table, id, line).await.with_context(|| format!("{}: {line}", way.ruleset))?;
    }
    let history = table.site.app.matches.history(id).await?;
    let asked = |open: &&record::OpenDecision| open.asked.what == way.what && app::recorder::asks(open, Seat::P1);
    let open = history.open.iter().rfind(asked).context("the question")?;
    for (n, line) in sent.iter().enumerate() {
        let (decision, submit) = (open.asked.decision.as_str(), table.fresh(&n.to_string()));
        table.p1.sends(decision, &submit, line).await?.says("move received.")?;
    }
    let mut read = everything(&table, false).await?;
    read.insert("the program's log".to_owned(), heard.said_in_time());
    Ok((read, table.site.data))
}

/// Checks that a question is hidden: no answer, one answer and several look the same.
async fn is_hidden(way: &Way) -> Result<()> {
    let (nothing, _data) = goes(way, &[]).await?;
    let mut kept = Vec::new();
    let [one, other] = way.sent;
    for sent in [&[one][..], &[other, one, other]] {
        let (found, data) = goes(way, sent).await?;
        kept.push(data);
        alike(&format!("{}, {}: {sent:?}", way.ruleset, way.what), &nothing, &found)?;
    }
    Ok(())
}

#[test]
fn every_hidden_question_of_every_game_is_hidden() -> Result<()> {
    // On two threads, because it takes longer than anything else.
    let (some, others) = WAYS.split_at(WAYS.len() / 2);
    thread::scope(|scope| {
        let some = scope.spawn(|| all_hidden(some));
        all_hidden(others)?;
        some.join().map_err(|_| anyhow!("it panics"))?
    })
}

fn all_hidden(ways: &[Way]) -> Result<()> {
    for way in ways {
        // Each has its own runtime, so that the connections of its sites end with it.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(is_hidden(way))?;
    }
    Ok(())
}

/// The questions with sealed answers, by their words, as random play finds them.
#[test]
fn no_hidden_question_is_left_out() {
    for ruleset in engine::rulesets() {
        let met = (1..=SEEDS).flat_map(|seed| asked(ruleset.card().id, seed, |ask| ask.to == engine::To::Both));
        let family = |id: &str| id.split('/').next().unwrap_or_default().to_owned();
        for what in met {
            let tried = WAYS.iter().any(|way| family(way.ruleset) == family(ruleset.card().id) && what == way.what);
            assert!(tried, "{}: nobody looks whether \"{what}\" is hidden", ruleset.card().id);
        }
    }
}

/// How many random matches of each ruleset are played.
pub(super) const SEEDS: u64 = 12;

/// The words of the questions of this kind that a random match meets. The first seat has every item that there is.
pub(super) fn asked(ruleset: &str, seed: u64, is_meant: impl Fn(&engine::Ask) -> bool) -> Vec<engine::Word> {
    let Ok(known) = engine::ruleset(ruleset) else { return Vec::new() };
    let items = known.card().items.iter().map(|item| (*item).to_owned()).collect();
    let setup = engine::Setup {
        ruleset: ruleset.to_owned(),
        dmo: known.card().needs_dmo.then_some(Seat::P2),
        items: BySeat { p1: items, p2: Vec::new() },
        ..engine::Setup::default()
    };
    let Ok(mut duel) = Duel::open(&setup) else { return Vec::new() };
    let (mut met, mut state) = (Vec::new(), seed);
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state.rotate_left(32)
    };
    let mut numbers: &mut dyn FnMut() -> u64 = &mut next;
    for _ in 0..200 {
        let asks = duel.asks();
        for ask in &asks {
            if is_meant(ask) && !met.contains(&ask.what) {
                met.push(ask.what.clone());
            }
        }
        // Now and then what may be left alone, such as a challenge, which often ends the match.
        let ask = if numbers().is_multiple_of(8) { asks.first() } else { asks.last() };
        let Some(ask) = ask else { break };
        let line = match ask.to {
            engine::To::Host => duel.draw(&mut numbers).map(|draw| format!("host: {draw}")),
            to => {
                let asked = |seat: Seat| to == engine::To::Both || to == engine::To::One(seat);
                let mut answer = |seat| duel.sample(seat, &ask.what, &mut numbers);
                let moves = BySeat {
                    p1: asked(Seat::P1).then(|| answer(Seat::P1)).flatten(),
                    p2: asked(Seat::P2).then(|| answer(Seat::P2)).flatten(),
                };
                Some(duel.line(&moves))
            }
        };
        if line.is_none_or(|line| duel.play(&line, None).is_err()) {
            break;
        }
    }
    met
}

#[tokio::test]
async fn the_umpire_reads_that_something_is_there_and_not_what() -> Result<()> {
    let mut consoles = Vec::new();
    for text in ["grow", "claim", "score steal"] {
        let table = Table::laid(RULESET, true).await?;
        table.p1.submits(text).await?;
        // The console shows the progress of signing the log, which has its own clock.
        let history = table.history().await?;
        table.site.app.public_log.placed(history.match_id, &[ledger::Seq(history.head.next.0 - 1)]).await?;
        let console = table.umpire.get(&table.console).await?;
        console.says("valid, sent by the player")?;
        // The text to post names the site, and each site has its own port.
        consoles.push(console.text.replace(&table.site.address, "SITE"));
    }
    // The forms draw their ids from one stream, which the seats do not use.
    assert_eq!(consoles[0], consoles[1]);
    assert_eq!(consoles[0], consoles[2]);
    Ok(())
}
