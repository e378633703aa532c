//! Sample data: imported matches, a match recorded here to its end, and some that still run.
//!
//! Everything is entered the same way as by an umpire. The ids of forms are derived from their contents, so a later
//! start, or one after a kill, does nothing twice.

use std::path::Path;

use anyhow::{Context, bail};
use app::Scope;
use app::account::Umpire;
use app::umpire_act::{DrawLine, NewCorrection, OnHead};
use app::views::{HeadJson, Lines};
use app::{Act, App, UmpireAct, by_umpire, form_of};
use engine::dmn::Replay;
use engine::{BySeat, Seat, Setup, To};
use ledger::MatchId;
use record::body::DrawSource;
use record::share::SHARE;
use record::write::{Clocks, Import, NewMatch, Pace};

/// The match that is played to its end: its targets stay sealed until then.
const FINISHED: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";
/// The match whose cards Matchbook draws, and its number of steps. Only the setup comes from its file.
const DRAWN: (&str, usize) = ("devils-deal/blooming-genius/no-chips-8-p1-quill-kestrel.dmn", 12);
/// The matches that still run, and the number of steps of each.
const RUNNING: [(&str, usize); 3] = [
    ("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn", 11),
    ("thwart-13/dm-colosseum-2/challenge-failed-20-p1-quill-drpelican.dmn", 20),
    ("higher-lower/tempo-up/three-boards-4-p2-wren-saffron.dmn", 30),
];
/// The step of the finished match that the umpire mistypes and corrects.
const MISTYPED: u32 = 4;

pub(crate) async fn fill(app: &App, umpire: &Umpire, folder: &Path) -> anyhow::Result<MatchId> {
    let act = |parts: &[&str]| Act { by: by_umpire(&umpire.id), form: form_of(parts) };
    let mut files = Vec::new();
    find(folder, &mut files).with_context(|| {
        let folder = folder.display();
        format!("cannot look into {folder}: start the demo in the folder of Matchbook's sources, or name it, as --demo FOLDER")
    })?;
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        let import = Import::read(&text).map_err(|errors| wrong(file, &errors))?;
        let source = "the demo of Matchbook: played by programs, for programs";
        app.imports.import(&act(&["demo", &text]), &import, Some(source)).await?;
    }
    let finished = play(app, umpire, &folder.join(FINISHED), usize::MAX).await?;
    let history = app.matches.history(finished).await?;
    if !history.is_ended() && history.outcome().is_over() {
        let end = UmpireAct::End(OnHead { head: HeadJson::of(history.head) });
        app.commands.perform(&act(&["demo-end", &finished.to_string()]), finished, &end).await?;
    }
    for (file, steps) in RUNNING {
        play(app, umpire, &folder.join(file), steps).await?;
    }
    drawn(app, umpire, &folder.join(DRAWN.0), DRAWN.1).await?;
    let setup = Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() };
    let names = BySeat { p1: "Noor".to_owned(), p2: "Ilse".to_owned() };
    let free = NewMatch { setup, names, pace: Pace::Live { clocks: Clocks::Off, early: false }, ..NewMatch::default() };
    // A match that was played to its end is replaced by the next.
    let mut count = 0_u32;
    loop {
        let match_id = app.commands.open_match(Scope::Record, &act(&["demo-free", &count.to_string()]), &free).await?;
        if !app.recorder.settle(match_id).await?.is_ended() {
            return Ok(match_id);
        }
        count = count.saturating_add(1);
    }
}

async fn drawn(app: &App, umpire: &Umpire, file: &Path, steps: usize) -> anyhow::Result<()> {
    let act = |parts: &[&str]| Act { by: by_umpire(&umpire.id), form: form_of(parts) };
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let tags = Replay::open(&text).map_err(|errors| wrong(file, &errors))?.tags().clone();
    let new = NewMatch {
        setup: tags.setup,
        names: tags.names,
        event: tags.event.map(|event| format!("{event}, drawn here")),
        draws: Some(DrawSource::Host),
        ..NewMatch::default()
    };
    let match_id = app.commands.open_match(Scope::Record, &act(&["demo-drawn", &text]), &new).await?;
    let mut history = app.recorder.settle(match_id).await?;
    let mut state = 13_u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state.rotate_left(32)
    };
    let mut numbers: &mut dyn FnMut() -> u64 = &mut next;
    while history.steps.len() < steps && !history.is_ended() && history.strikes.is_empty() {
        let Some(ask) = history.asks().pop() else { break };
        let form = act(&["demo-drawn-step", &match_id.to_string(), &history.head.next.0.to_string()]);
        if ask.to == To::Host {
            let draw = DrawLine { head: HeadJson::of(history.head), text: None, early: true };
            history = app.commands.perform(&form, match_id, &UmpireAct::Draw(draw)).await?;
            continue;
        }
        let Some(open) = history.open.iter().find(|open| open.puts(&ask)) else { break };
        let mut answer = |seat: Seat| match &*ask.what {
            SHARE => Some(format!("a line of {}", history.name(seat))),
            what => history.duel().sample(seat, what, &mut numbers),
        };
        let mut moves = BySeat { p1: None, p2: None };
        for asked in &open.asked.seats {
            moves[asked.0] = answer(asked.0);
        }
        let decision = open.asked.decision.clone();
        history = app.commands.record(&form, match_id, &decision, &moves).await?;
    }
    Ok(())
}

fn wrong(file: &Path, errors: &[engine::dmn::Error]) -> anyhow::Error {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    anyhow::anyhow!("{}: {}", file.display(), errors.join("; "))
}

fn find(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    let mut inside = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    inside.sort();
    for path in inside {
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "dmn") {
            files.push(path);
        }
    }
    Ok(())
}

async fn play(app: &App, umpire: &Umpire, file: &Path, steps: usize) -> anyhow::Result<MatchId> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let act = |parts: &[&str]| Act { by: by_umpire(&umpire.id), form: form_of(parts) };
    let mut replay = Replay::open(&text).map_err(|errors| wrong(file, &errors))?;
    let tags = replay.tags().clone();
    // The same players at another event, so that the demo's match is not a duplicate of the imported one.
    let event = tags.event.map(|event| format!("{event}, the return"));
    let new = NewMatch {
        setup: tags.setup,
        names: BySeat { p1: tags.names.p2, p2: tags.names.p1 },
        event,
        ..NewMatch::default()
    };
    let match_id = app.commands.open_match(Scope::Record, &act(&["demo-open", &text]), &new).await?;
    let mut history = app.recorder.settle(match_id).await?;
    let untouched = history.strikes.len() <= 1 && history.remarks.iter().all(|remark| !remark.ruling);
    if history.is_ended() || !untouched {
        return Ok(match_id);
    }
    while let Some(played) = replay.play(None) {
        let line = played.map_err(|errors| wrong(file, &errors))?;
        let number = u32::try_from(line.step)?;
        if line.step > steps || line.played.text.starts_with("umpire:") {
            break;
        }
        if line.step <= history.steps.len() {
            continue;
        }
        if let Some(draw) = line.played.text.strip_prefix("host: ") {
            let form = act(&["demo-draw", &match_id.to_string(), &number.to_string()]);
            let draw = DrawLine { head: HeadJson::of(history.head), text: Some(draw.to_owned()), early: true };
            history = app.commands.perform(&form, match_id, &UmpireAct::Draw(draw)).await?;
            continue;
        }
        let moves = moves_of(&line.played.text);
        let asked = history.open.iter().find(|open| {
            Seat::BOTH.into_iter().all(|seat| {
                let asked = open.asked.seats.iter().any(|asked| asked.0 == seat);
                let answers = |sent: &String| history.duel().read(seat, &open.asked.what, sent).is_ok();
                if asked { moves[seat].as_ref().is_some_and(answers) } else { moves[seat].is_none() }
            })
        });
        let Some(decision) = asked.map(|open| open.asked.decision.clone()) else {
            bail!("{}: nothing asks for step {number}", file.display());
        };
        let id = match_id.to_string();
        let mistyped = steps == usize::MAX && number == MISTYPED;
        let typed = if mistyped { BySeat { p1: Some("-".to_owned()), p2: moves.p2.clone() } } else { moves.clone() };
        history =
            app.commands.record(&act(&["demo-step", &id, &number.to_string()]), match_id, &decision, &typed).await?;
        if mistyped {
            let form = act(&["demo-correct", &id]);
            let reason = "Mistyped: the move had come in time".to_owned();
            let (head, moves) = (HeadJson::of(history.head), Lines { p1: moves.p1, p2: moves.p2 });
            let correction =
                NewCorrection { head, step: number, moves, draw: None, said: None, reason, dry_run: false };
            history = app.commands.perform(&form, match_id, &UmpireAct::Correct(correction)).await?;
        }
    }
    Ok(match_id)
}

fn moves_of(line: &str) -> BySeat<Option<String>> {
    if let Some((p1, p2)) = line.split_once(" / ") {
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        return BySeat { p1: Some(p1.to_owned()), p2: Some(p2.to_owned()) };
    }
    let sent = |seat: Seat| line.strip_prefix(seat.word())?.strip_prefix(": ").map(str::to_owned);
    BySeat { p1: sent(Seat::P1), p2: sent(Seat::P2) }
}
