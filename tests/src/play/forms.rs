//! Each kind of question, answered only by its form, without scripts and without notation.

use anyhow::{Context, Result, ensure};

use super::hidden::plays;
use super::table::{RULESET, Table};
use crate::page::Page;

pub(super) const DEALT: [&str; 2] = ["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p2: start p1"];

/// A match after these lines.
pub(crate) async fn at(ruleset: &str, steps: &[&str]) -> Result<Table> {
    let table = Table::typed(ruleset).await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    for line in steps {
        plays(&table, id, line).await.with_context(|| (*line).to_owned())?;
    }
    Ok(table)
}

/// Sends the fields of a form with the page's own names.
async fn sends(table: &Table, seat: &str, what: &str, fields: &[(&str, &str)]) -> Result<Page> {
    let player = if seat == "p1" { &table.p1 } else { &table.p2 };
    let page = player.page().await?;
    let history = table.history().await?;
    let open = history.open.iter().find(|open| open.asked.what == what).context("the question")?;
    for (name, value) in fields {
        page.says(&format!("name=\"{name}\""))?;
        ensure!(
            name.starts_with("amount") || value.is_empty() || page.text.contains(&format!("value=\"{value}\"")),
            "{value}: {}",
            page.text
        );
    }
    let submit = table.fresh(&format!("{seat} {what}"));
    let mut all = vec![("decision", open.asked.decision.as_str()), ("submit", &submit), ("move", "")];
    all.extend(fields);
    let read = player.guest.post(&format!("{}/read", player.home), &all).await?;
    ensure!(read.status.is_success(), "{}", read.text);
    player.guest.post(&format!("{}/submit", player.home), &all).await
}

#[tokio::test]
async fn two_of_five_with_a_target() -> Result<()> {
    let table = at(RULESET, &["score / grow", "score / grow"]).await?;
    table.p1.page().await?.says("Score is out: it counted in both of the last two rounds")?;
    let page = sends(&table, "p1", "round", &[("pick", "score"), ("target-block", "claim")]).await?;
    page.says("move received.")?.says("Score and Block on Claim")?.says("left out")?;
    let page = sends(&table, "p2", "round", &[("none", "nothing")]).await?;
    page.says("move received.")?;
    // Picking nothing differs from choosing "nothing".
    let player = &table.p2;
    let fields = [("decision", "d3"), ("submit", &table.fresh("none")), ("move", ""), ("pick", "")];
    let page = player.guest.post(&format!("{}/submit", player.home), &fields).await?;
    page.says("Not changed")?;
    Ok(())
}

#[tokio::test]
async fn a_card_out_of_the_deck_and_where_it_goes() -> Result<()> {
    let table = at("thwart-13/dm-colosseum-2", &["TH / 2C", "back / front"]).await?;
    let page = table.p1.page().await?;
    page.says("ten of hearts")?.says("value=\"TH\" disabled")?;
    sends(&table, "p1", "select", &[("pick", "AS")]).await?.says("move received.")?;
    sends(&table, "p2", "select", &[("pick", "3C")]).await?.says("move received.")?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let history = table.site.app.matches.history(id).await?;
    let select = history.open.iter().find(|open| open.asked.what == "select").context("the selection")?;
    super::hidden::closes(&table, id, &select.asked.decision).await?;
    sends(&table, "p1", "action", &[("pick", "middle")]).await?.says("move received.")?;
    Ok(())
}

#[tokio::test]
async fn piles_a_discard_two_cards_in_order_and_a_bet() -> Result<()> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let table = at("devils-deal/blooming-genius", &[DEALT[0], DEALT[1], "p1: refill", offer]).await?;
    let laid = [
        ("in-R2", "0"),
        ("in-R3", "0"),
        ("in-B9", "0"),
        ("in-B3", "1"),
        ("in-G5", "1"),
        ("in-G6", "1"),
        ("in-B6", "2"),
        ("in-G8", "2"),
        ("in-G2", "6"),
        ("in-B5", "6"),
        ("in-R7", "6"),
        ("in-G1", ""),
    ];
    sends(&table, "p1", "divide", &laid).await?.says("move received.")?.says("Piles that sum to 14")?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let open = table.site.app.matches.history(id).await?.open.first().context("the division")?.asked.decision.clone();
    super::hidden::closes(&table, id, &open).await?;
    let cards = [("at-0", "B1"), ("at-1", "R2"), ("at-2", "B3")];
    sends(&table, "p1", "discard", &cards).await?.says("move received.")?;

    let table =
        at("devils-deal/blooming-genius", &[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"])
            .await?;
    let page = sends(&table, "p2", "private", &[("at-0", "G2"), ("at-1", "R1")]).await?;
    page.says("move received.")?.says("Green 2 first, red 1 second")?;
    sends(&table, "p1", "private", &[("at-0", "G9"), ("at-1", "B7")]).await?.says("move received.")?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let open = table.site.app.matches.history(id).await?.open.first().context("the cards")?.asked.decision.clone();
    super::hidden::closes(&table, id, &open).await?;
    sends(&table, "p1", "bet", &[("only", "raise"), ("amount-raise", "3")]).await?.says("move received.")?;
    Ok(())
}

/// Backs for all five boards, as the host draws them.
pub(super) fn placed() -> [String; 5] {
    let board = |letter: &str, backs: &str| format!("host: place {letter} {backs}");
    [
        board("A", "A5 A10 B2 E8 A2 A1 B5 E5 A1 B5 E8 A7 A9 A7 E2 B8 A4 E5 B2 A4 A3 E2 B8 A10 A8"),
        board("B", "B10 C2 B1 A2 B7 C5 A8 B1 C8 A5 B2 B4 B3 B4 B8 A5 C8 B1 A8 C5 B7 A2 B7 C2 B10"),
        board("C", "C1 B9 D2 C10 B3 D8 C1 C7 C5 B6 D5 C4 C7 C4 D5 B6 C9 C7 C3 D8 B3 C10 D2 B9 C1"),
        board("D", "D10 C3 E9 D1 C9 E3 D7 D2 C6 E6 D4 D1 D5 D9 D4 E6 C6 D10 D7 E3 C9 D1 E9 C3 D10"),
        board("E", "E1 E2 D3 A9 E4 D9 A3 E10 D6 E4 A6 E7 E5 E7 A6 E7 D6 E10 A3 D9 E4 A9 D3 E9 E1"),
    ]
}

#[tokio::test]
async fn a_neighbour_is_guessed() -> Result<()> {
    let placed = placed();
    let mut steps = vec!["p2: colour cyan"];
    steps.extend(placed.iter().map(String::as_str));
    steps.extend(["p2: board A first", "p2: turn a1"]);
    let table = at("higher-lower/tempo-up", &steps).await?;
    let page = sends(&table, "p2", "guess", &[("pick", "east"), ("target", "higher")]).await?;
    page.says("move received.")?;
    table.p1.page().await?.says("Waiting for Bo.")?;
    Ok(())
}

#[tokio::test]
async fn groups_are_filled_in_by_place() -> Result<()> {
    let table = at("higher-lower/tempo-up", &["p2: colour pink"]).await?;
    let page = table.p1.page().await?;
    page.says("Board A, circle (A B E)")?;
    let history = table.history().await?;
    let open = history.open.iter().find(|open| open.asked.what == "assign").context("the question")?;
    let submit = table.fresh("assign");
    let fields = [("decision", open.asked.decision.as_str()), ("submit", &submit), ("move", ""), ("at-0", "E6, E2 e7")];
    let page = table.p1.guest.post(&format!("{}/submit", table.p1.home), &fields).await?;
    page.says("move received.")?;
    Ok(())
}
