//! Matches of declared games on a site: the whole shelf, opened, played and ended by an umpire, checked after each act and
//! audited.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use app::new_match::{MatchFields, Names};
use app::{Act, Scope, account, by_umpire, form_of};
use engine::dmn::Replay;
use engine::dmn::quotes::split_outside_quotes;
use engine::{BySeat, Seat};
use ledger::MatchId;
use serde_json::json;

use crate::audit_site::audits;
use crate::site::Site;
use crate::umpire_acts::perform;

/// A match of the shelf: its declaration, and its lines.
pub(crate) struct Shelved {
    name: String,
    pub(crate) game: String,
    lines: Vec<String>,
}

pub(crate) fn shelf() -> Result<Vec<Shelved>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/declared");
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "dmn"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path)?;
        let mut replay = Replay::open(&text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
        let game = replay.tags().setup.declared.as_ref().map(|game| game.lines().join("\n"));
        let mut lines = Vec::new();
        while let Some(line) = replay.play(None) {
            lines.push(line.map_err(|errors| anyhow::anyhow!("{errors:?}"))?.played.text);
        }
        let name = path.file_stem().context("a name")?.to_string_lossy().into_owned();
        Ok(Shelved { name, game: game.context("a declaration")?, lines })
    };
    paths.iter().map(read).collect()
}

async fn open(site: &Site, shelved: &Shelved) -> Result<MatchId> {
    let app = &site.app;
    let umpire = account::named(app.pool(), &site.umpire_name).await?;
    let fields = MatchFields {
        ruleset: "declared/1".to_owned(),
        players: Names { p1: "Ada".to_owned(), p2: "Bo".to_owned() },
        game: Some(shelved.game.clone()),
        draws: app::new_match::DrawsWord::Umpire,
        ..MatchFields::default()
    };
    let new = fields.parse(app.public_log.network().hash).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let act = Act { by: by_umpire(&umpire.id), form: form_of(&["shelf", &shelved.name]) };
    Ok(app.commands.open_match(Scope::Record, &act, &new).await?)
}

async fn play(site: &Site, id: MatchId, line: &str) -> Result<()> {
    let app = &site.app;
    let history = app.matches.history(id).await?;
    if let Some(said) = line.strip_prefix("umpire: ") {
        return perform(app, &history, "announce", json!({ "text": said })).await.map(drop);
    }
    if let Some(draw) = line.strip_prefix("host: ") {
        return perform(app, &history, "draw", json!({ "text": draw, "early": true })).await.map(drop);
    }
    let moves =
        line.split_once(". ").filter(|(round, _)| round.parse::<u32>().is_ok()).map_or(line, |(_, moves)| moves);
    let both: Vec<&str> = split_outside_quotes(moves, b'/').map(|(_, sent)| sent.trim()).collect();
    let moves = match both.as_slice() {
        [p1, p2] => BySeat { p1: Some(*p1), p2: Some(*p2) },
        _ => BySeat { p1: line.strip_prefix("p1: "), p2: line.strip_prefix("p2: ") },
    };
    let open = history.open.last().with_context(|| format!("nobody is asked for {line}"))?;
    let act = Act { by: history.umpire_now().clone(), form: form_of(&["line", &history.head.leaf.to_string()]) };
    let moves = BySeat::from_fn(|seat: Seat| moves[seat].map(str::to_owned));
    app.commands.record(&act, id, &open.asked.decision, &moves).await?;
    Ok(())
}

#[tokio::test]
async fn the_whole_shelf_is_played_to_its_end_and_audited() -> Result<()> {
    let site = Site::seeded("declared shelf").await?;
    site.sign_in_link().await?;
    let mut ids = Vec::new();
    for shelved in shelf()? {
        let id = open(&site, &shelved).await.with_context(|| shelved.name.clone())?;
        for line in &shelved.lines {
            play(&site, id, line).await.with_context(|| format!("{}: {line}", shelved.name))?;
            let report = site.app.checks.check(id).await?.1;
            ensure!(report.is_good(), "{}, {line}: {report:#?}", shelved.name);
        }
        let history = site.app.matches.history(id).await?;
        let played: Vec<_> = history.steps.iter().filter_map(|step| step.text.clone()).collect();
        ensure!(played == shelved.lines, "{}: {played:#?}", shelved.name);
        let history = perform(&site.app, &history, "end", json!({})).await?;
        ensure!(history.is_ended() && history.faults.is_empty(), "{}: {:?}", shelved.name, history.faults);
        let report = site.app.checks.check(id).await?.1;
        ensure!(report.is_good(), "{}: {report:#?}", shelved.name);
        ids.push(id);
    }
    site.app.signer().covering(site.app.logs.record().tree_head().await?.size).await?;
    let (good, said) = audits(&site.address, &[]).await?;
    ensure!(good, "{said}");
    // Every page of such a match is there.
    let guest = site.visitor()?;
    for id in ids {
        for path in ["", "/verify", ".dmn", ".json", ".svg"] {
            let path = format!("/m/{}{path}", app::slug(id));
            let page = guest.get(&path).await?;
            ensure!(page.status == 200, "{path}: {}", page.status);
        }
    }
    Ok(())
}
