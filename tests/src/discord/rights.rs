//! Who may give which command at Discord: every command that is registered, by every kind of account, as the table in
//! `fixtures/discord-rights.txt`. `UPDATE=1 cargo test -p matchbook-tests discord::rights` rewrites it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use app::account;
use serde_json::{Value, json};

use super::arena::{ADA, Arena, BO, CHANNEL, STRANGER, UMPIRE, slash, text, umpires, who};
use super::stand_in::account as at_discord;

/// Plays in another match, in another channel.
const OTHER_PLAYER: i64 = 604;
/// Is an umpire, of no match here.
const OTHER_UMPIRE: i64 = 502;
/// Was an umpire, until the account on the site was closed.
const STOPPED: i64 = 503;
const CALLERS: [(&str, i64); 6] = [
    ("nobody", STRANGER),
    ("player", ADA),
    ("other player", OTHER_PLAYER),
    ("umpire", UMPIRE),
    ("other umpire", OTHER_UMPIRE),
    ("stopped", STOPPED),
];

/// The words above the table.
const HEAD: &str = "\
Every command at Discord, and what each kind of account is answered that gives it in the channel of a match.
umpires: this is for umpires. seated: this is for whoever sits here. match: the match is another umpire's. yes: the account
may; what was sent is done or refused for what it is.

";

/// The sentences by which a command is refused for who gives it.
const REFUSED: [(&str, &str); 3] = [
    ("umpires", "This is for umpires."),
    ("seated", "You sit in no running match here."),
    ("match", "is another umpire’s"),
];

/// What a caller sends: each needed option with something that reads, in a match that all callers name.
fn filled(command: &Value, slug: &str) -> Vec<Value> {
    let options = command["options"].as_array().cloned().unwrap_or_default();
    let fill = |option: &Value| {
        let name = option["name"].as_str()?.to_owned();
        if option["required"] != true && name != "match" {
            return None;
        }
        Some(match (option["type"].as_u64()?, name.as_str()) {
            (6, "first") => who(&name, ADA),
            (6, _) => who(&name, BO),
            (4, _) => json!({ "type": 4, "name": name, "value": 5 }),
            (_, "match") => text(&name, slug),
            (_, "seat") => text(&name, "p2"),
            (_, "rules") => text(&name, super::arena::RULESET),
            _ => text(&name, "grow"),
        })
    };
    options.iter().filter_map(fill).collect()
}

/// Each command and subcommand by its name, with what is sent.
fn commands(all: &Value, slug: &str, message: &Value) -> Result<Vec<(String, Value)>> {
    let mut rows = Vec::new();
    for command in all.as_array().context("a list of commands")? {
        let name = command["name"].as_str().context("a name")?;
        let subs: Vec<&Value> =
            command["options"].as_array().into_iter().flatten().filter(|option| option["type"] == 1).collect();
        if command["type"] == 3 {
            rows.push((name.to_owned(), message.clone()));
        } else if subs.is_empty() {
            rows.push((format!("/{name}"), slash(name, &filled(command, slug))));
        }
        for sub in subs {
            let sub_name = sub["name"].as_str().context("a name")?;
            rows.push((format!("/{name} {sub_name}"), umpires(sub_name, &filled(sub, slug))));
        }
    }
    // What changes the channel or the question comes last.
    rows.sort_by_key(|(name, _)| (name == "/match leave", name == "/match resolve"));
    Ok(rows)
}

impl Arena {
    /// Another umpire of the site, with an account at Discord.
    async fn links_umpire(&self, name: &str, user: i64) -> Result<()> {
        let (pool, system) = (self.site.app.pool(), self.site.app.system());
        account::add(pool, system, &account::OPERATOR, name).await?;
        let mut guest = self.site.umpire_called(name).await?;
        guest.address.clone_from(&self.address);
        let page = guest.post("/umpire/discord", &[("what", "code")]).await?;
        let code = page.content("#code")?.replace("/link code:", "");
        self.gives(user, slash("link", &[text("code", &code)])).await?.says("You are the umpire")?;
        Ok(())
    }

    /// A player's message in the channel.
    fn message_of_ada(&self) -> Value {
        let id = self.discord.id(self.now()).to_string();
        let message = json!({
            "id": id, "type": 0, "content": "grow", "channel_id": CHANNEL.to_string(), "author": at_discord(ADA),
            "timestamp": self.now().to_string(), "edited_timestamp": null, "attachments": [], "embeds": [],
            "pinned": false,
        });
        let messages = json!({ "messages": { id.clone(): message } });
        json!({ "id": "1", "type": 3, "name": "Record move", "target_id": id, "resolved": messages })
    }
}

#[tokio::test]
async fn every_command_answers_every_account_as_the_table_says() -> Result<()> {
    let (arena, id) = Arena::with_match("rights at Discord", true).await?;
    arena.links_umpire("Viktor", OTHER_UMPIRE).await?;
    arena.links_umpire("Sam", STOPPED).await?;
    let (pool, system) = (arena.site.app.pool(), arena.site.app.system());
    account::set_closed(pool, system, &account::OPERATOR, &account::named(pool, "Sam").await?, true).await?;
    // The other player sits in a match of another channel.
    let elsewhere = CHANNEL + 1;
    let seats = [text("rules", super::arena::RULESET), who("first", OTHER_PLAYER), who("second", BO)];
    let mut open = umpires("open", &seats);
    open["resolved"]["users"][OTHER_PLAYER.to_string()] = at_discord(OTHER_PLAYER);
    arena.in_channel(UMPIRE, elsewhere, open).await?.says("Both can")?;

    let slug = app::slug(id);
    let all = web::discord::commands();
    let mut table = HEAD.to_owned();
    let names: Vec<String> = CALLERS.iter().map(|(name, _)| format!("{name:<7}")).collect();
    writeln!(table, "{:<18} | {}", "", names.join(" | "))?;
    for (name, data) in commands(&all, &slug, &arena.message_of_ada())? {
        let mut cells = Vec::new();
        for (caller, user) in CALLERS {
            let mut data = data.clone();
            if name == "/match seat" {
                // An account that has no seat yet.
                let newcomer = user + 300;
                data["resolved"]["users"][newcomer.to_string()] = at_discord(newcomer);
                let options = data["options"][0]["options"].as_array_mut().context("options")?;
                let player = options.iter_mut().find(|option| option["name"] == "player").context("a player")?;
                player["value"] = json!(newcomer.to_string());
            }
            let read = arena.gives(user, data).await.with_context(|| format!("{name} as {caller}"))?;
            let said = read.posted.content.replace('\'', "’");
            let refused = REFUSED.iter().find(|(_, words)| said.contains(words)).map_or("yes", |(word, _)| word);
            cells.push(format!("{refused:<width$}", width = caller.len().max(7)));
        }
        let umpires_own = name.starts_with("/match") || name == "Record move";
        if umpires_own && cells[0].trim() != "umpires" {
            bail!("{name}: who is no umpire may: {cells:?}");
        }
        ensure!(cells[5].trim() == cells[0].trim(), "{name}: a closed account has more rights than nobody");
        writeln!(table, "{}", format!("{name:<18} | {}", cells.join(" | ")).trim_end())?;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/discord-rights.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &table)?;
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), table, "UPDATE=1 rewrites the table");
    Ok(())
}
