//! What counts is on the disk before it does, with the name of its file.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use super::close::{closes, seated};
use crate::chaos::{Syncs, check_syncs};
use crate::play::table::RULESET;
use crate::program::{Program, binary, command_of, started};
use crate::wait::until;

/// A journal that has grown enough to be made smaller, by lines of a match that nobody knows.
fn grown(journal: &Path) -> Result<u64> {
    let line = "x {\"asked\":\"\",\"row\":{\"match_id\":\"5d3ca9cf-41ed-4d55-8c0d-87ba963cbd78\",\"decision\":\"d1\",\
                \"seat\":\"p1\",\"ordinal\":0,\"at\":\"2020-11-20T20:41:48.381204Z\"}}\n";
    let lines = line.repeat((1 << 20) / line.len() + 1);
    fs::write(journal, &lines)?;
    Ok(lines.len() as u64)
}

#[tokio::test]
async fn a_move_and_a_checkpoint_are_on_the_disk_before_they_count() -> Result<()> {
    let (folder, program, mut umpire) = started().await?;
    program.kill().await?;
    let (data, syncs) = (folder.path().join("data"), Syncs::set_up(folder.path())?);
    let journal = folder.path().join("checkpoint.journal-1");
    let size = grown(&journal)?;
    let mut serve = command_of(&binary()?, &data, &["serve", "--listen", "127.0.0.1:0"])?;
    serve.envs(syncs.variables());
    let program = Program::listening(serve).await?;
    umpire.address.clone_from(&program.address);
    until(async || {
        ensure!(fs::metadata(&journal)?.len() < size, "the journal is not made smaller");
        Ok(())
    })
    .await?;

    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let (p1, home) = seated(&umpire, &console, "p1").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");
    let before = syncs.acts()?.len();
    p1.sends(&format!("{home}/submit"), &form).await?.says("move received")?;
    let during = syncs.acts()?.split_off(before);
    let mut of_journal = during.iter().filter(|act| act.path == journal).map(|act| act.what.as_str());
    ensure!(of_journal.any(|what| what == "write") && of_journal.any(|what| what == "sync"), "{during:?}");

    closes(&umpire, &console).await?;
    let replaced = |path: &Path| {
        let acts = syncs.acts()?;
        anyhow::Ok(acts.iter().filter(|act| act.what == "rename" && act.path == path).count())
    };
    let checkpoint = folder.path().join("checkpoint");
    until(async || {
        ensure!(replaced(&checkpoint)? > 1, "nothing new is signed");
        Ok(())
    })
    .await?;
    program.kill().await?;
    ensure!(replaced(&journal)? == 1, "the journal was made smaller {} times", replaced(&journal)?);
    check_syncs(&syncs.acts()?, folder.path())
}
