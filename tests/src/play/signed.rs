//! A seat that signs: the work of its browser's script, done by hand.

use anyhow::{Context, Result, ensure};
use app::account;
use engine::Seat;
use ledger::ed25519::SecretKey;
use ledger::{Hash, SealKey, SealMessage, Sealer, SubmitMessage, Tree, TreeSize};
use record::History;
use record::body::LinkAct;
use reqwest::StatusCode;
use serde_json::json;
use store::SubmitId;

use super::sharer::tree;
use super::table::{Player, RULESET, Table};
use crate::page::Page;

pub(crate) struct Script {
    pub(crate) secret: SecretKey,
    pub(crate) seat: Sealer,
    /// A tree from before the question, to sign over it.
    pub(crate) older: Option<Tree>,
}

impl Script {
    /// A script whose key the first seat offered.
    pub(crate) async fn registered(table: &Table) -> Result<Self> {
        let script = Self::of(5);
        script.offers(&table.p1).await?.is(StatusCode::NO_CONTENT)?;
        Ok(script)
    }

    /// A script of the first seat with a key of this number.
    fn of(number: u8) -> Self {
        Self { secret: SecretKey::from_seed(&[number; 32]), seat: Sealer::P1, older: None }
    }

    async fn offers(&self, player: &Player) -> Result<Page> {
        let key = ledger::PlayerKey::new(self.secret.public().bytes())?.to_string();
        player.guest.post(&format!("{}/key", player.home), &[("key", &key)]).await
    }

    /// The data that the script would post for a move.
    async fn sealed(&self, table: &Table, history: &History, submit: &str, value: &str, spoil: &str) -> Result<String> {
        let open = history.open.first().context("an open decision")?;
        let field = open.asked.fields.first().context("a field")?;
        let key = SealKey::new([submit.len() as u8 ^ value.len() as u8; 32]);
        let message = SealMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &open.asked.decision,
            seat: self.seat,
            field,
            asked: open.leaf,
            value,
        };
        let commitment = message.seal(&key)?;
        let mut tree = tree(table).await?;
        match spoil {
            "older" => tree = self.older.context("an older tree")?,
            "root" => tree.root = Hash::new([7; 32]),
            "beyond" => tree.size = TreeSize(u64::MAX),
            "larger" => tree.size = TreeSize(tree.size.0 + 1),
            _ => {}
        }
        let message = SubmitMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &open.asked.decision,
            seat: self.seat,
            commitments: &[commitment],
            submit: submit.parse::<SubmitId>()?,
            asked: open.leaf,
            seen: (tree.size, tree.root),
            is_final: matches!(spoil, "final" | "unmarked"),
        };
        let signature = message.sign(&self.secret);
        let value = if spoil == "value" { "claim" } else { value };
        let mut sealed = json!({
            "commitments": [commitment], "openings": [{ "field": field, "key": key.to_hex(), "value": value }],
            "signature": signature, "size": tree.size.0, "root": tree.root,
        });
        match spoil {
            "size" => sealed["size"] = json!(tree.size.0 + 1),
            "unsigned" => {
                for key in ["signature", "size", "root"] {
                    sealed.as_object_mut().context("an object")?.remove(key);
                }
            }
            _ => {}
        }
        Ok(sealed.to_string())
    }

    pub(crate) async fn sends(&self, table: &Table, player: &Player, value: &str, spoil: &str) -> Result<Page> {
        let page = player.page().await?;
        let (decision, submit) = (page.field("decision")?, page.field("submit")?);
        let history = table.history().await?;
        let sealed = self.sealed(table, &history, &submit, value, spoil).await?;
        // Of a final submission both the signature and the form say so, unless one of them is spoiled.
        let is_final = if matches!(spoil, "final" | "unsigned mark") { "on" } else { "" };
        let own = [("decision", decision.as_str()), ("submit", &submit), ("move", value), ("sealed", &sealed)];
        let fields = [&own[..], &[("final", is_final)]].concat();
        player.guest.post(&format!("{}/submit", player.home), &fields).await
    }
}

#[tokio::test]
async fn a_seat_with_a_key_counts_by_its_signature_alone() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let mut script = Script { secret: SecretKey::from_seed(&[5; 32]), seat: Sealer::P1, older: None };
    let key = ledger::PlayerKey::new(script.secret.public().bytes())?.to_string();
    let register = format!("{}/key", table.p1.home);
    let weak = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let refused = table.p1.guest.post(&register, &[("key", weak)]).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("this key is weak")?;
    for _ in 0..2 {
        table.p1.guest.post(&register, &[("key", key.as_str())]).await?.is(StatusCode::NO_CONTENT)?;
    }
    for spoil in ["size", "value"] {
        let refused = script.sends(&table, &table.p1, "grow", spoil).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{spoil}: {}", refused.text);
    }
    // A valid signature over a tree that the log never had: if entered, it would testify against an honest server.
    for spoil in ["root", "larger", "beyond"] {
        let refused = script.sends(&table, &table.p1, "grow", spoil).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{spoil}: {}", refused.text);
        refused.says("a state of the log that the log never signed")?;
    }
    script.sends(&table, &table.p1, "nonsense", "").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    table.p1.page().await?.says("None yet.")?;
    script.sends(&table, &table.p1, "grow", "").await?.says("move received.")?;
    table.p1.page().await?.says("signed with your key")?;
    // The same seal with another submit id would be recorded twice, or leave a receipt without a place in the record.
    let again = script.sends(&table, &table.p1, "grow", "").await?;
    again.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("sealed with a key that was used before")?;
    table.p2.submits("claim").await?;
    script.older = Some(tree(&table).await?);
    table.closes().await?;
    // Whoever offers another key now is told to the record, once for each browser. Nobody else uses the seat, so only its
    // key counts.
    for _ in 0..2 {
        Script::of(6).offers(&table.p1).await?.says("has a key already")?;
    }
    let history = table.history().await?;
    let told = history.links.iter().filter(|link| link.linked.act == LinkAct::Refused);
    assert_eq!(told.map(|link| link.linked.seat.0).collect::<Vec<_>>(), [Seat::P1], "{:?}", history.links);
    table.p1.submits("score").await?.is(StatusCode::FORBIDDEN)?.says("key signed is replaced only by what it signs")?;
    script.sends(&table, &table.p1, "score", "unsigned").await?.is(StatusCode::FORBIDDEN)?;
    // Whoever signs over a tree from before the question has not seen it in the log.
    let early = script.sends(&table, &table.p1, "score", "older").await?;
    early.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("a state of the log from before the question")?;

    let history = table.history().await?;
    ensure!(history.keys[Seat::P1].is_some() && history.keys[Seat::P2].is_none());
    let report = table.checked().await?;
    assert_eq!(report.verdict.to_string(), "so far verified (moves of seat 2 sealed by the server, unsigned)");
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(grades, ["Ada: 1 submission signed", "Bo: 1 submission sealed by the server, unsigned"]);

    // A line that the umpire types for a seat that signs counts, and is shown as a ruling.
    table.types("p1", "score").await?.says("valid, typed by the umpire")?;
    table.closes().await?;
    let report = table.checked().await?;
    assert_eq!(
        report.verdict.to_string(),
        "so far verified with 1 move typed without its signature (recorded by the umpire)"
    );
    Ok(())
}

/// A browser that comes by another link to the first seat.
async fn comes_too(table: &Table) -> Result<Player> {
    let (guest, home) = (table.site.visitor()?, table.p1.home.clone());
    let sat = guest.read(guest.http.post(table.link("p1").await?).send().await?).await?;
    ensure!(sat.address == home, "{}: {}", sat.address, sat.text);
    Ok(Player { guest, home })
}

/// An umpire with a second link could otherwise lock a program or a chat out, and be graded better.
#[tokio::test]
async fn a_second_link_neither_signs_for_a_player_without_a_key_nor_locks_that_player_out() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let (umpire, script) = (comes_too(&table).await?, Script::of(6));
    script.offers(&umpire).await?.is(StatusCode::NO_CONTENT)?;
    script.sends(&table, &umpire, "steal", "").await?.says("move received.")?;
    table.p1.submits("grow").await?.says("move received.")?;
    // From now on the seat plays without a key, from every browser.
    script.sends(&table, &umpire, "steal", "").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let plays_without = "your seat has sent a move without a key, so it plays without one";
    script.offers(&umpire).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(&plays_without[1..])?;
    umpire.page().await?.says(&plays_without[1..])?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    table.p1.submits("score").await?.says("move received.")?;
    umpire.submits("claim").await?.says("move received.")?;
    table.p1.submits("score").await?.says("move received.")?;
    table.closes().await?;
    let history = table.history().await?;
    ensure!(history.keys[Seat::P1].is_none(), "{:?}", history.keys);
    table.act("rule", &[("result", "p1"), ("clause", ""), ("text", "Conceded.")]).await?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    // What was signed with a key that never entered is shown, and not as signed.
    let (history, report) = (table.history().await?, table.checked().await?);
    ensure!(history.replaced.iter().any(|(_, one)| one.ordinal == 0) && report.is_good(), "{report:#?}");
    ensure!(history.replaced.iter().all(|(_, one)| one.signature.is_none()), "{:?}", history.replaced);
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    ensure!(grades.contains(&"Ada: 2 submissions sealed by the server, unsigned"), "{grades:?}");
    Ok(())
}

/// Whoever opened the link first does not own the seat: until an answer is in the record, a new link takes its place.
#[tokio::test]
async fn a_new_link_ends_the_key_of_the_old_one_until_an_answer_has_entered() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let (stranger, strange) = (&table.p1, Script::registered(&table).await?);
    strange.sends(&table, stranger, "claim", "").await?.says("move received.")?;
    let (player, own) = (comes_too(&table).await?, Script::of(6));
    for page in [stranger.page().await?, player.page().await?] {
        page.says("Your seat has more than one link or browser.")?;
    }
    table.umpire.get(&table.console).await?.says("Ada\u{2019}s seat was opened once more.")?;
    own.offers(&player).await?.is(StatusCode::NO_CONTENT)?;
    own.sends(&table, &player, "grow", "").await?.says("move received.")?;
    player.page().await?.says("signed by the browser that sent it")?;
    strange
        .offers(stranger)
        .await?
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("newer link to your seat signs for it")?;
    strange.sends(&table, stranger, "steal", "").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    stranger.page().await?.says("newer link to your seat signs for it")?;
    table.closes().await?;
    let history = table.history().await?;
    let (key, refused) = (history.keys[Seat::P1].context("a key")?, history.links.last().context("a link")?);
    assert_eq!(key.key.bytes(), own.secret.public().bytes());
    // Everybody reads that another key had been offered.
    assert_eq!((refused.linked.act, refused.linked.link), (LinkAct::Refused, 0));
    assert_eq!(history.steps[0].moves.p1.as_deref(), Some("grow"));

    // Now the other browser plays unsigned, and replaces nothing that is signed.
    stranger.submits("steal").await?.says("move received.")?;
    own.sends(&table, &player, "score", "").await?.says("move received.")?;
    stranger.submits("steal").await?.is(StatusCode::FORBIDDEN)?.says("replaced only by what it signs")?;
    table.closes().await?;
    stranger.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let moves = table.history().await?.steps.iter().map(|step| step.moves.p1.clone()).collect::<Vec<_>>();
    assert_eq!(moves.iter().flatten().collect::<Vec<_>>(), ["grow", "score", "claim"]);
    table.act("rule", &[("result", "p1"), ("clause", ""), ("text", "Conceded.")]).await?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    ensure!(grades.contains(&"Ada: 2 submissions signed, 1 submission sealed by the server, unsigned"), "{grades:?}");
    Ok(())
}

/// One key in both seats would be a fault of the whole log, which any player could bring about.
#[tokio::test]
async fn a_seat_takes_no_key_that_the_other_seat_has() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let public = |number| anyhow::Ok(ledger::PlayerKey::new(SecretKey::from_seed(&[number; 32]).public().bytes())?);
    let (first, second) = (public(5)?.to_string(), public(6)?.to_string());
    let hands_in =
        async |player: &Player, key: &str| player.guest.post(&format!("{}/key", player.home), &[("key", key)]).await;
    hands_in(&table.p1, &first).await?.is(StatusCode::NO_CONTENT)?;
    // It waits for the first answer, and is in no record yet.
    ensure!(table.history().await?.keys[Seat::P1].is_none());
    let refused = hands_in(&table.p2, &first).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("the other seat has this key")?;
    Script::of(5).sends(&table, &table.p1, "grow", "").await?.says("move received.")?;
    hands_in(&table.p2, &second).await?.is(StatusCode::NO_CONTENT)?;
    table.closes().await?;
    let keys = table.history().await?.keys;
    ensure!(keys[Seat::P1].is_some() && keys[Seat::P2].is_none(), "a key enters with an answer: {keys:?}");
    hands_in(&table.p2, &first).await?.says("the other seat has this key")?;
    Script { seat: Sealer::P2, ..Script::of(6) }.sends(&table, &table.p2, "grow", "").await?.says("move received.")?;
    table.closes().await?;
    ensure!(table.history().await?.keys[Seat::P2].is_some());
    ensure!(table.checked().await?.is_good());
    Ok(())
}

/// What was signed for a question that the umpire takes away is shown at the end, and its key is there by then.
#[tokio::test]
async fn a_question_that_is_taken_away_leaves_no_signature_without_its_key() -> Result<()> {
    for (what, typed) in [("rule", ("result", "p1")), ("strike", ("from", "1")), ("go-on-recorded", ("", ""))] {
        let table = Table::laid(RULESET, false).await?;
        table.p2.submits("grow").await?;
        table.closes().await?;
        let script = Script::registered(&table).await?;
        script.sends(&table, &table.p1, "claim", "").await?.says("move received.")?;
        table.act(what, &[typed, ("text", "Bo left"), ("reason", "Bo left")]).await?.is(StatusCode::OK)?;
        ensure!(table.history().await?.keys[Seat::P1].is_some(), "{what}: the key waits on");
        if what != "rule" {
            table.act("rule", &[("result", "p1"), ("text", "Bo left")]).await?.is(StatusCode::OK)?;
        }
        table.act("end", &[]).await?.is(StatusCode::OK)?;
        let report = table.checked().await?;
        ensure!(report.is_good() && !table.history().await?.replaced.is_empty(), "{what}: {report:#?}");
    }
    Ok(())
}

/// Two such keys that came at one moment, on two nodes: the first seat's enters alone.
#[tokio::test]
async fn of_two_equal_keys_that_wait_one_enters() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let key = ledger::PlayerKey::new(SecretKey::from_seed(&[5; 32]).public().bytes())?;
    let page = table.p1.guest.post(&format!("{}/key", table.p1.home), &[("key", &key.to_string())]).await?;
    page.is(StatusCode::NO_CONTENT)?;
    let mut owner = table.site.owner().await?;
    let copied = sqlx::query(
        "insert into waiting_keys (log_id, match_id, seat, key, came_at) \
         select log_id, match_id, 'p2', key, came_at from waiting_keys",
    );
    assert_eq!(copied.execute(&mut owner).await?.rows_affected(), 1);
    Script::of(5).sends(&table, &table.p1, "grow", "").await?.says("move received.")?;
    let script = Script { seat: Sealer::P2, ..Script::of(5) };
    script.sends(&table, &table.p2, "claim", "").await?.says("move received.")?;
    table.closes().await?;
    let history = table.history().await?;
    ensure!(history.keys[Seat::P1].is_some() && history.keys[Seat::P2].is_none());
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn the_verdict_names_whoever_did_not_sign_until_the_name_is_withdrawn() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let script = Script::registered(&table).await?;
    script.sends(&table, &table.p1, "grow", "").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    table.act("rule", &[("result", "p1"), ("clause", ""), ("text", "Conceded.")]).await?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    let anybody = table.site.visitor()?;
    let pages = [table.public(), format!("{}/verify", table.public())];
    for page in &pages {
        anybody.get(page).await?.says("with 1 ruling (moves of Bo sealed by the server, unsigned)")?;
    }
    // The verdict is stored with the match, and the withdrawal does not change the head that it is of.
    let (commands, history) = (&table.site.app.commands, table.history().await?);
    let words = commands.words(history.match_id).await?;
    let name: Vec<_> = words.into_iter().filter(|word| word.field == "names.p2").collect();
    let umpire = account::named(table.site.app.pool(), &table.site.umpire_name).await?;
    commands.withdraw(&umpire, history.match_id, &name).await?;
    for page in &pages {
        let page = anybody.get(page).await?;
        page.says("with 1 ruling (moves of Player 2 sealed by the server, unsigned)")?;
        ensure!(!page.text.contains("of Bo "), "{}", page.text);
    }
    Ok(())
}
