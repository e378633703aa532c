//! A player whose browser keeps its share: what the scripts of the seat's page do, done by hand.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use ledger::ed25519::SecretKey;
use ledger::{Checkpoint, Note, OpenMessage, SealKey, SealMessage, Sealer, Share, SubmitId, SubmitMessage, Tree};
use record::History;
use serde_json::json;

use super::table::{Player, Table};
use crate::page::Page;
use crate::wait::until;

/// The script of a seat's browser: its key, and the share that it keeps.
pub(super) struct Sharer<'t> {
    pub(super) player: &'t Player,
    pub(super) seat: Seat,
    pub(super) secret: SecretKey,
    pub(super) value: String,
    pub(super) key: SealKey,
}

const fn sealer(seat: Seat) -> Sealer {
    match seat {
        Seat::P1 => Sealer::P1,
        Seat::P2 => Sealer::P2,
    }
}

/// The newest tree that the log signed, once it holds every open question.
pub(super) async fn tree(table: &Table) -> Result<Tree> {
    let app = &table.site.app;
    let history = table.history().await?;
    for open in &history.open {
        if let Some(place) = app.public_log.place(history.match_id, open.entry).await? {
            app.signer().covering(place.covered_by()).await?;
        }
    }
    let note = table.site.visitor()?.get("/checkpoint").await?.text;
    Ok(Checkpoint::read(Note::read(note.as_bytes())?.text())?.tree())
}

/// A signed tree over the list of shares.
pub(super) async fn covering(table: &Table, history: &History) -> Result<Tree> {
    let list = history.awaited_openings().context("openings are awaited")?.entry;
    let place = table.site.app.public_log.place(history.match_id, list).await?.context("it is in the public log")?;
    until(async || {
        let tree = tree(table).await?;
        ensure!(tree.size >= place.covered_by(), "no checkpoint covers entry {list}: {tree:?}");
        Ok(tree)
    })
    .await
}

impl<'t> Sharer<'t> {
    /// With a key that is registered.
    pub(super) async fn of(table: &'t Table, seat: Seat) -> Result<Self> {
        let player = if seat == Seat::P1 { &table.p1 } else { &table.p2 };
        let number = seat as u8 + 5;
        let secret = SecretKey::from_seed(&[number; 32]);
        let key = ledger::PlayerKey::new(secret.public().bytes())?.to_string();
        let page = player.guest.post(&format!("{}/key", player.home), &[("key", &key)]).await?;
        ensure!(page.status.is_success(), "{}", page.text);
        let (value, key) = (Share::of_line(&format!("{seat} says")).to_hex(), SealKey::new([number; 32]));
        Ok(Self { player, seat, secret, value, key })
    }

    /// Sends the commitment alone.
    pub(super) async fn commits(&mut self, table: &Table) -> Result<Page> {
        let page = self.player.page().await?;
        ensure!(page.text.contains(" data-share>"), "{}", page.text);
        let (decision, submit) = (page.field("decision")?, page.field("submit")?);
        let history = table.history().await?;
        let open = history.open.iter().find(|open| open.asked.what == "share").context("shares are asked for")?;
        // A key of its own for each decision.
        self.key = SealKey::new([self.seat as u8 ^ u8::try_from(open.entry.0)?; 32]);
        let message = SealMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &open.asked.decision,
            seat: sealer(self.seat),
            field: &"share".parse()?,
            asked: open.leaf,
            value: &self.value,
        };
        let commitments = [message.seal(&self.key)?];
        let seen = tree(table).await?;
        let signed = SubmitMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &open.asked.decision,
            seat: sealer(self.seat),
            commitments: &commitments,
            submit: submit.parse::<SubmitId>()?,
            asked: open.leaf,
            seen: (seen.size, seen.root),
            is_final: false,
        };
        let sealed = json!({
            "commitments": commitments, "openings": [], "signature": signed.sign(&self.secret),
            "size": seen.size.0, "root": seen.root,
        });
        let fields = [("decision", decision.as_str()), ("submit", &submit), ("sealed", &sealed.to_string())];
        self.player.guest.post(&format!("{}/submit", self.player.home), &fields).await
    }

    /// What the script posts to open the share, over this tree.
    pub(super) fn opening(&self, history: &History, seen: Tree) -> Result<String> {
        let list = history.awaited_openings().context("openings are awaited")?;
        let decision = history.gathering().and_then(|seed| seed.asked.clone()).context("it was asked")?;
        let message = OpenMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &decision,
            seat: sealer(self.seat),
            listed: list.leaf,
            value: &self.value,
            seen: (seen.size, seen.root),
        };
        Ok(json!({
            "key": self.key.to_hex(), "value": self.value, "signature": message.sign(&self.secret),
            "size": seen.size.0, "root": seen.root,
        })
        .to_string())
    }

    pub(super) async fn posts(&self, table: &Table, opened: &str, submit: &str) -> Result<Page> {
        let history = table.history().await?;
        let decision = history.seeds.last().and_then(|seed| seed.asked.clone()).context("a decision")?.to_string();
        let fields = [("decision", decision.as_str()), ("submit", submit), ("opened", opened)];
        self.player.guest.post(&format!("{}/open", self.player.home), &fields).await
    }

    /// Opens the listed share with a signature.
    pub(super) async fn opens(&self, table: &Table) -> Result<Page> {
        let history = table.history().await?;
        let opened = self.opening(&history, covering(table, &history).await?)?;
        self.posts(table, &opened, &table.fresh(&format!("{} {}", self.seat, opened))).await
    }
}
