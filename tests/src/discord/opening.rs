//! `/match open` with all choices of the dashboard.

use anyhow::{Result, ensure};
use app::cosigning::SitePolicy;
use engine::Seat;
use ledger::Policy;
use record::body::DrawSource;
use serde_json::{Value, json};

use super::arena::{ADA, Arena, BO, CHANNEL, RULESET, UMPIRE, slash, text, umpires, who};
use crate::held_witness::HeldWitness;

/// The options for an opening with these rules.
fn opening(rules: &str, more: &[Value]) -> Value {
    let mut options = vec![text("rules", rules), who("first", ADA), who("second", BO)];
    options.extend_from_slice(more);
    umpires("open", &options)
}

async fn opened(arena: &Arena, rules: &str, more: &[Value]) -> Result<std::sync::Arc<record::History>> {
    let read = arena.in_channel(UMPIRE, CHANNEL, opening(rules, more)).await?;
    let slug = read.says("Both can")?.posted.content.split("/umpire/m/").nth(1).unwrap_or_default().to_owned();
    Ok(arena.site.app.matches.history_of(slug.trim_end_matches('>')).await?)
}

#[tokio::test]
async fn items_options_and_typed_draws_are_chosen_when_a_match_is_opened() -> Result<()> {
    let arena = Arena::with_umpire("openings").await?;
    let items = [text("first-items", "overload, limit-reset"), text("second-items", "claim-priority")];
    let history = opened(&arena, "five-card-trick/zeros-gauntlet-final", &items).await?;
    assert_eq!(history.setup.items[Seat::P1], ["overload", "limit-reset"]);
    assert_eq!(history.setup.items[Seat::P2], ["claim-priority"]);

    let ruleset = engine::rulesets().find(|ruleset| !ruleset.choices().is_empty()).expect("a choice");
    let (name, values) = ruleset.choices()[0];
    let own = ruleset.options();
    let other = values.iter().find(|value| !own.contains(&(name, *value))).expect("another value");
    let more = [text("options", &format!("{name}={other}")), text("draws", "umpire"), text("dmo", "p2")];
    let history = opened(&arena, ruleset.card().id, &more).await?;
    assert_eq!(history.setup.options, [(name.to_owned(), (*other).to_owned())]);
    assert_ne!(history.opened.draws, Some(DrawSource::Host), "the umpire types in what is drawn");
    Ok(())
}

#[tokio::test]
async fn what_the_rules_do_not_know_is_refused_and_nothing_is_opened() -> Result<()> {
    let arena = Arena::with_umpire("no openings").await?;
    let running = arena.site.app.archive().list(&app::archive::Filter::running(), None).await?.matches.len();
    for more in [
        text("first-items", "overload overload"),
        text("first-items", "lasers"),
        text("options", "community"),
        text("options", "community=maybe"),
    ] {
        let rules = "five-card-trick/zeros-gauntlet-final";
        let read = arena.in_channel(UMPIRE, CHANNEL, opening(rules, &[more])).await?;
        ensure!(!read.open && !read.posted.content.contains("Both can"), "{}", read.posted.content);
    }
    assert_eq!(arena.site.app.archive().list(&app::archive::Filter::running(), None).await?.matches.len(), running);
    Ok(())
}

#[tokio::test]
async fn items_and_options_are_offered_while_they_are_typed() -> Result<()> {
    let arena = Arena::with_umpire("offers").await?;
    let offers = async |rules: &str, option: &str, typed: &str| {
        let option = json!({ "type": 3, "name": option, "value": typed, "focused": true });
        let data = umpires("open", &[text("rules", rules), option]);
        let mut command = arena.discord.command(UMPIRE, CHANNEL, arena.now(), data);
        command.body["type"] = json!(4);
        let answer = arena.discord.first_answer(&arena.address, arena.now(), &command).await?;
        arena.discord.posts()?;
        let choices = answer["data"]["choices"].as_array().cloned().unwrap_or_default();
        let values = choices.iter().map(|choice| choice["value"].as_str().unwrap_or_default().to_owned());
        Ok::<_, anyhow::Error>(values.collect::<Vec<_>>())
    };
    let final_ = "five-card-trick/zeros-gauntlet-final";
    ensure!(offers(final_, "first-items", "").await?.contains(&"overload".to_owned()));
    let second = offers(final_, "first-items", "overload li").await?;
    ensure!(second.contains(&"overload limit-reset".to_owned()), "{second:?}");
    ensure!(!offers(final_, "first-items", "overload o").await?.contains(&"overload overload".to_owned()));
    ensure!(offers("five-card-trick/dm-colosseum-2", "first-items", "").await?.is_empty());
    ensure!(!offers("devils-deal/blooming-genius", "options", "").await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_match_waits_for_the_witnesses_of_the_site() -> Result<()> {
    let arena = Arena::with_umpire("waiting at discord").await?;
    let wait = [json!({ "type": 4, "name": "wait", "value": 30 })];
    let read = arena.in_channel(UMPIRE, CHANNEL, opening(RULESET, &wait)).await?;
    read.says("This site has no witnesses")?;
    let witness = HeldWitness::beside("witness.example/one", &arena.site).await?;
    let policy = Policy::read(format!("{}quorum one\n", witness.line("one")).as_bytes())?;
    arena.site.app.public_log.ask_witnesses(SitePolicy::of(policy)?).await?;
    let history = opened(&arena, RULESET, &wait).await?;
    assert_eq!(history.opened.wait, Some(30));
    for (user, notation) in [(ADA, "grow"), (BO, "claim")] {
        arena.submits(user, notation).await?.says("move received.")?;
    }
    arena.in_channel(UMPIRE, CHANNEL, umpires("resolve", &[])).await?.says("Closed.")?;
    let state = arena.in_channel(ADA, CHANNEL, slash("state", &[])).await?;
    state.says("Sealed. It opens when the log\u{2019}s witnesses have seen it, at <t:")?;
    ensure!(!state.posted.content.contains("Round 1:"), "what is sealed is asked no more: {}", state.posted.content);
    arena.in_channel(UMPIRE, CHANNEL, umpires("resolve", &[])).await?.says("waits for the log\u{2019}s witnesses")?;
    Ok(())
}
