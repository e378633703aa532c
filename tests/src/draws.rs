//! Draws that nobody chooses, over HTTP: shares collected, every draw by its key, a strike in the middle, and all of it
//! verified from the file alone.

use anyhow::{Context, Result, bail, ensure};
use app::account::player::SeatRef;
use app::cosigning::SitePolicy;
use app::submissions::{Answer, PlayerSubmission};
use app::{Act, Scope};
use engine::{BySeat, Seat, Setup, SplitMix64, To};
use ledger::{DrawIndex, Policy, Share, SubmitId, TreeSize};
use record::body::DrawSource;
use record::verify::{Status, verify, verify_by};
use record::write::{Clocks, NewMatch, Pace};
use record::{Bundle, History, StepSource};
use reqwest::StatusCode;
use serde_json::json;

use crate::held_witness::HeldWitness;
use crate::page::Page;
use crate::play::table::full_access;
use crate::site::{Guest, Site};
use crate::umpire_acts::perform;
use crate::wait::until;
use crate::whole_match::record;

const DEAL: &str = "devils-deal/blooming-genius";
const BOARDS: &str = "higher-lower/tempo-up";

async fn opened(umpire: &Guest, ruleset: &str) -> Result<Page> {
    let console = umpire.opens(&[("ruleset", ruleset), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2")]).await?;
    ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
    Ok(console)
}

/// Presses the button that draws.
async fn draw(umpire: &Guest, console: &str) -> Result<Page> {
    let page = umpire.get(console).await?;
    let form = page.form_with("keyed")?.with("keyed", "yes");
    ensure!(page.contents("form:has([name=keyed]) [type=text]")?.is_empty(), "nothing is typed");
    let first = umpire.sends(&format!("{console}/record"), &form).await?;
    first.is(StatusCode::OK)?;
    // Sent twice, it draws once.
    umpire.sends(&format!("{console}/record"), &form).await?.is(StatusCode::OK)?;
    Ok(first)
}

struct Table<'s> {
    site: &'s Site,
    umpire: &'s Guest,
    console: String,
    numbers: SplitMix64,
}

impl Table<'_> {
    fn public(&self) -> String {
        self.console.replace("/umpire", "")
    }

    async fn history(&self) -> Result<std::sync::Arc<History>> {
        Ok(self.site.app.matches.history_of(self.console.rsplit('/').next().unwrap_or_default()).await?)
    }

    /// The history, once nothing waits for witnesses.
    async fn open_history(&self) -> Result<std::sync::Arc<History>> {
        until(async || {
            let history = self.history().await?;
            ensure!(history.waiting().is_none(), "{:?}", history.waiting());
            Ok(history)
        })
        .await
    }

    /// This many random steps, with the host drawing by its keys.
    async fn plays(&mut self, steps: usize) -> Result<()> {
        for _ in 0..steps {
            let history = self.open_history().await?;
            let Some(ask) = history.duel().asks().pop() else { return Ok(()) };
            let duel = history.duel();
            let mut sample = |seat| duel.sample(seat, &ask.what, &mut self.numbers).context("an answer");
            let line = match ask.to {
                To::Host => {
                    draw(self.umpire, &self.console).await?;
                    continue;
                }
                To::One(seat) => format!("{seat}: {}", sample(seat)?),
                To::Both => format!("{} / {}", sample(Seat::P1)?, sample(Seat::P2)?),
            };
            let page = record(self.umpire, &self.console, &line).await?;
            ensure!(page.status == StatusCode::OK, "{line}: {}", page.text);
        }
        Ok(())
    }

    /// Everything that is public now.
    async fn everything(&self, into: &mut Vec<(Vec<u32>, String)>) -> Result<()> {
        let anybody = self.site.visitor()?;
        let history = self.history().await?;
        let open = history.draws.iter().filter(|draw| !draw.hidden).map(|draw| draw.index.0).collect::<Vec<_>>();
        let public = self.public();
        let mut paths = vec![public.clone(), format!("{public}/verify")];
        paths.extend(["json", "ndjson", "bundle", "dmn"].map(|kind| format!("{public}.{kind}")));
        if let Some(row) = history.rows().last() {
            paths.extend(["before", "choices", "after"].map(|beat| format!("{public}/r/{}/{beat}", row.label)));
        }
        for path in paths {
            into.push((open.clone(), anybody.get(&path).await?.text));
        }
        Ok(())
    }
}

async fn whole(ruleset: &str) -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = opened(&umpire, ruleset).await?;
    page.says("Something random from each player, for fair draws")?.says("Only the host knows coming draws")?;
    let mut table = Table { site: &site, umpire: &umpire, console: page.address.clone(), numbers: SplitMix64(5) };
    let early = table.history().await?;
    ensure!(early.due_draw().is_none() || early.seeds[0].fixed.is_none(), "nothing is drawn before shares are in");
    ensure!(!page.text.contains("name=\"keyed\""), "no draw before the shares");
    let page = record(&umpire, &table.console, "the owl is late / -").await?;
    page.is(StatusCode::OK)?.says("Matchbook opened the players’ shares")?.says("Matchbook fixed the draws")?;
    let mut read = Vec::new();
    table.plays(9).await?;
    table.everything(&mut read).await?;

    // A strike in the middle: the same draw is repeated automatically, with the same cards.
    let before = table.history().await?;
    let struck = before.steps.iter().rev().find(|step| before.is_host_drawn(step)).context("a draw")?;
    let to = format!("{}/strike", table.console);
    let dry_run = umpire.get(&format!("{to}?from={}", struck.number)).await?;
    umpire.fills_in(&dry_run, &to, &[("reason", "The clock had not started")]).await?.is(StatusCode::OK)?;
    let after = table.history().await?;
    let again = after.steps.last().context("a step")?;
    ensure!((again.number, &again.text) == (struck.number, &struck.text), "{again:?} instead of {struck:?}");
    table.plays(9).await?;
    table.everything(&mut read).await?;
    let running = umpire.get(&table.public()).await?;
    running.says("the host knows draws in advance")?;

    if !table.history().await?.outcome().is_over() {
        let page = umpire.get(&table.console).await?;
        let to = format!("{}/rule", table.console);
        let ruled = umpire.fills_in(&page, &to, &[("result", "void"), ("clause", ""), ("text", "Called off")]).await?;
        ruled.is(StatusCode::OK)?;
    }
    let page = umpire.get(&table.console).await?;
    umpire.fills_in(&page, &format!("{}/end", table.console), &[]).await?.is(StatusCode::OK)?;

    let bundle = site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text;
    let report = verify(&Bundle::read(bundle.as_bytes())?);
    ensure!(report.verdict.to_string().starts_with("verified with "), "{report:#?}");
    let finding = report.findings.get(4).context("finding 5")?;
    // One share was not given, and one was typed: the host could have chosen.
    ensure!(finding.status == Status::Reported, "{finding:#?}");
    let words: Vec<&str> = finding.details.iter().map(|detail| detail.text.as_str()).collect();
    ensure!(words.iter().any(|text| text.starts_with("Bo gave no share")), "{words:?}");
    ensure!(words.iter().any(|text| text.starts_with("the share of Ada was typed by the umpire")), "{words:?}");
    let page = site.visitor()?.get(&format!("{}/verify", table.public())).await?;
    page.says("every key follows from the shares")?;

    let history = table.history().await?;
    nothing_was_public_before_its_time(&history, &bundle, &read)
}

/// With everything open, every key is known: none was public before its time, nor was the host's share.
fn nothing_was_public_before_its_time(history: &History, bundle: &str, read: &[(Vec<u32>, String)]) -> Result<()> {
    let seed = history.seeds.first().context("a seed")?;
    let shares: Vec<&str> = bundle.split("\"value\":\"").skip(1).filter_map(|rest| rest.get(..64)).collect();
    let made = seed.fixed.as_ref().context("it is made")?;
    let root = made.roots.first().context("a root")?;
    let makes = |share: &&&str| {
        let share = Share::from_hex(share);
        share.is_ok_and(|share| made.seed(&seed.salt, &share).tree(0).root() == *root)
    };
    let Some(host) = shares.iter().find(makes) else { bail!("no share makes the root") };
    let seed = made.seed(&seed.salt, &Share::from_hex(host)?);
    for (open, text) in read {
        ensure!(!text.contains(*host), "the host's share stands on a page of the running match");
        for k in (0..300).filter(|k| !open.contains(k)) {
            ensure!(!text.contains(&seed.key(DrawIndex(k)).to_hex()), "key {k} stands there before its time");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_devils_deal_by_keys_is_played_struck_exported_and_verified() -> Result<()> {
    whole(DEAL).await
}

#[tokio::test]
async fn boards_of_higher_or_lower_by_keys_are_played_struck_exported_and_verified() -> Result<()> {
    whole(BOARDS).await
}

#[tokio::test]
async fn a_match_with_draws_waits_for_witnesses_at_each_answer_and_goes_on() -> Result<()> {
    let site = Site::start().await?;
    tokio::spawn(site.app.deadlines.clone().run());
    let umpire = site.umpire().await?;
    let witness = HeldWitness::beside("witness.example/one", &site).await?;
    witness.is_quick();
    let policy = Policy::read(format!("{}quorum one\n", witness.line("one")).as_bytes())?;
    site.app.public_log.ask_witnesses(SitePolicy::of(policy.clone())?).await?;
    site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    let typed = [("ruleset", DEAL), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2"), ("wait", "600")];
    let console = umpire.opens(&typed).await?.address;
    let mut table = Table { site: &site, umpire: &umpire, console, numbers: SplitMix64(5) };
    record(&umpire, &table.console, "the owl is late / -").await?.is(StatusCode::OK)?;
    table.plays(9).await?;
    let history = table.open_history().await?;
    let answers = history.steps.iter().filter(|step| matches!(step.source, StepSource::Decision(_))).count();
    ensure!(answers > 1 && !history.draws.is_empty(), "{} steps", history.steps.len());
    assert_eq!(history.waits.iter().filter(|wait| wait.witnessed).count(), answers);
    let (bundle, _) = site.app.checks.check(history.match_id).await?;
    let report = verify_by(&bundle, &policy);
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

/// Players give their shares themselves, like any answer.
#[tokio::test]
async fn players_give_their_shares_in_a_live_match() -> Result<()> {
    let site = Site::start().await?;
    let act = |id: u8| Act { by: "umpire:k3x9".parse().expect("an umpire"), form: SubmitId([id; 16]) };
    let setup = Setup { ruleset: DEAL.to_owned(), dmo: Some(Seat::P1), ..Setup::default() };
    let (names, pace) =
        (BySeat { p1: "Ada".into(), p2: "Bo".into() }, Pace::Live { clocks: Clocks::Off, early: false });
    let new = NewMatch { setup, names, pace, draws: Some(DrawSource::Host), ..NewMatch::default() };
    let match_id = site.app.commands.open_match(Scope::Record, &act(1), &new).await?;
    let history = site.app.matches.history(match_id).await?;
    let [open] = history.open.as_slice() else { bail!("one question: {:?}", history.open) };
    assert_eq!((open.asked.what.as_str(), open.asked.seats.len()), ("share", 2));
    let decision = open.asked.decision.clone();
    for (seat, id, line) in [(Seat::P1, 2, "blue"), (Seat::P1, 3, "the owl is late"), (Seat::P2, 4, "fourteen bottles")]
    {
        let sent = PlayerSubmission {
            access: full_access(SeatRef { match_id, seat }),
            decision: decision.clone(),
            submit: SubmitId([id; 16]),
            came: site.app.system().now(),
            answer: Answer::Text(line.to_owned()),
            signed: None,
            is_final: false,
        };
        site.app.submissions.submit(&history, sent).await?;
    }
    let history = site.app.recorder.close_now(&act(5), match_id, &decision).await?;
    let made = history.seeds.first().and_then(|seed| seed.fixed.as_ref()).context("a seed")?;
    assert_eq!(made.given.p1, Some(Share::of_line("the owl is late")), "the last one counts");
    assert_eq!(made.given.p2, Some(Share::of_line("fourteen bottles")));
    let history = perform(&site.app, &history, "draw", json!({ "early": true })).await?;
    assert_eq!(history.draws.len(), 1);
    let (bundle, _) = site.app.checks.check(match_id).await?;
    let report = verify(&bundle);
    ensure!(report.is_good(), "{report:#?}");
    let words = report.findings.get(4).context("finding 5")?.details.iter().map(|detail| detail.text.as_str());
    ensure!(words.clone().all(|text| !text.contains("typed by the umpire")), "{:?}", words.collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn a_game_without_chance_asks_for_no_share() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = opened(&umpire, "five-card-trick/dm-colosseum-2").await?;
    page.says("Record round 1")?;
    ensure!(!page.text.contains("fair draws"), "{}", page.text);
    Ok(())
}
