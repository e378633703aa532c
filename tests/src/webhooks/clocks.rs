//! A webhook's messages about clocks: enough for a countdown, and nothing that a seat keeps secret.

use anyhow::{Context, Result, ensure};
use app::fetch::Reach;
use serde_json::{Value, json};

use super::{Receiver, make_for, node};
use crate::play::table::{RULESET, Table};
use crate::site::Site;

const KINDS: [&str; 3] = ["clock.paused", "clock.resumed", "clock.extended"];

/// A clock that is started, paused, started again and extended, and the webhook's messages about it afterwards.
/// Meanwhile the first seat sends these lines.
async fn told(lines: &[&str]) -> Result<Vec<Value>> {
    let site = Site::seeded("a live match").await?;
    let table = Table::opened(site, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    let (receiver, address) = Receiver::open().await?;
    make_for(&table.umpire, &address, &KINDS).await?;
    table.clock("run", &[]).await?;
    table.passes(20);
    for line in lines {
        table.p1.submits(line).await?.says(" received.")?;
    }
    table.clock("pause", &[("reason", "the channel is away")]).await?;
    table.passes(120);
    let console = table.clock("run", &[]).await?;
    let decision = console.field("decision")?;
    let given = [("decision", decision.as_str()), ("seconds", "30"), ("reason", "the picture came late")];
    table.clock("extend", &given).await?.says("= 20:03:30")?;
    // A late delivery still reports the state of each time.
    let node = node(&table, Reach::Anywhere);
    let sent = receiver.came(4).await?;
    node.abort();
    let site = table.site.address.clone();
    sent.iter().map(|message| Ok(serde_json::from_str(&message.body.replace(&site, "http://site"))?)).collect()
}

#[tokio::test]
async fn a_webhook_hears_what_a_countdown_needs() -> Result<()> {
    let sent = told(&[]).await?;
    let kinds: Vec<&str> = sent.iter().filter_map(|message| message["type"].as_str()).collect();
    assert_eq!(kinds, ["clock.resumed", "clock.paused", "clock.resumed", "clock.extended"]);
    let clock = |n: usize| {
        let mut data = sent[n]["data"].clone();
        for same in ["match", "slug", "address", "ruleset", "players", "entry", "leaf"] {
            ensure!(data.as_object_mut().is_some_and(|data| data.remove(same).is_some()), "{same}: {data}");
        }
        Ok::<_, anyhow::Error>(data)
    };
    let expected = |change: &str, seconds: Value, says: Value, deadline: Value, left_ms: u32, sum: &str| {
        json!({
            "decision": "d1", "what": "round", "change": change, "seat": null, "seconds": seconds, "says": says,
            "deadline": deadline, "left_ms": left_ms, "sum": sum,
        })
    };
    let none = || Value::Null;
    let sum = "started 20:00:00 + 60 s = 20:01:00";
    let due = json!("2026-11-20T20:01:00.000000Z");
    assert_eq!(clock(0)?, expected("started", none(), none(), due, 60_000, sum));
    let (sum, why) = (format!("{sum}, paused at 20:00:20"), json!("the channel is away"));
    assert_eq!(clock(1)?, expected("paused", none(), why, none(), 40_000, &sum));
    let (sum, due) = ("started 20:00:00 + 60 s + paused 120 s", json!("2026-11-20T20:03:00.000000Z"));
    assert_eq!(clock(2)?, expected("resumed", none(), none(), due, 40_000, &format!("{sum} = 20:03:00")));
    let (why, due) = (json!("the picture came late"), json!("2026-11-20T20:03:30.000000Z"));
    let sum = format!("{sum} + 30 s given = 20:03:30");
    assert_eq!(clock(3)?, expected("given", json!(30), why, due, 70_000, &sum));
    Ok(())
}

#[tokio::test]
async fn what_a_seat_has_sent_is_in_no_message_about_a_clock() -> Result<()> {
    let nothing = told(&[]).await?;
    for lines in [&["grow"][..], &["score steal", "claim", "grow score"]] {
        assert_eq!(told(lines).await?, nothing, "{lines:?}");
    }
    Ok(())
}

#[tokio::test]
async fn an_extension_that_begins_by_itself_is_told() -> Result<()> {
    let table = Table::laid_out(Site::seeded("a bank").await?).await?;
    let (receiver, address) = Receiver::open().await?;
    make_for(&table.umpire, &address, &KINDS).await?;
    let node = node(&table, Reach::Anywhere);
    table.passes(31);
    let sent = receiver.came(1).await?;
    node.abort();
    let told = sent.first().context("a message")?.json();
    let (data, history) = (&told["data"], table.history().await?);
    let spent = history.clocks.last().context("a clock")?;
    assert_eq!(
        (&told["type"], &data["change"], &data["seconds"]),
        (&json!("clock.extended"), &json!("spent"), &json!(30))
    );
    assert_eq!(data["decision"], spent.decision.as_str());
    assert_eq!(data["deadline"], spent.deadline().context("it runs")?.to_string());
    ensure!(data["seat"] == "p1" || data["seat"] == "p2", "{data}");
    Ok(())
}
