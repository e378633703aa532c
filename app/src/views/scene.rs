//! A moment of a match as a picture, with words for readers who cannot see it.

use engine::{BySeat, Duel, Figure, Panel, Party};
use picture::Scene;
use record::words::{result_sentence, row_words};
use record::{History, SheetRow, StepRecord};

use super::{Beat, MoveText, VisibleMatch, move_text, parties, prompt};

#[must_use]
pub fn match_scene(history: &History) -> Scene {
    visible_scene(&VisibleMatch::public(history))
}

#[must_use]
pub fn visible_scene(visible: &VisibleMatch<'_>) -> Scene {
    let history = visible.history;
    let over = history.outcome().is_over();
    let moment = match (over, history.rows().last()) {
        (true, _) => "Result".to_owned(),
        // What is drawn and chosen before round 1 is no round.
        (false, Some(row)) if row.round > 0 => format!("After {}", row_words(&row.label).replacen("Round", "round", 1)),
        (false, _) => "Before round 1".to_owned(),
    };
    let said = if over {
        vec![result_sentence(history.outcome(), history.both_names())]
    } else {
        prompts(visible, history.duel())
    };
    scene(visible, moment, Some(history.duel()), Vec::new(), said)
}

#[must_use]
pub fn beat_scene(visible: &VisibleMatch<'_>, rows: &[SheetRow<'_>], at: usize, beat: Beat) -> Option<Scene> {
    let history = visible.history;
    let row = rows.get(at)?;
    let before = history.before(row.steps.first()?.number);
    let moment = format!("{}, {}", row_words(&row.label), beat.words());
    Some(match beat {
        Beat::Before => {
            let said = before.map(|duel| prompts(visible, duel)).unwrap_or_default();
            scene(visible, moment, before, Vec::new(), said)
        }
        Beat::Choices => scene(visible, moment, before, Vec::new(), row_moves(visible, row, before)),
        Beat::Act(number) => act_scene(visible, row, number, moment)?,
        Beat::After => {
            let since = before.map(|duel| duel.figures()).unwrap_or_default();
            let ends = at + 1 == rows.len() && history.outcome().is_over();
            let result = ends.then(|| result_sentence(history.outcome(), history.both_names()));
            let said = result.into_iter().chain(visible.effects(row.steps.iter().copied()));
            let drawn = scene(visible, moment, row.after(), since, said.collect());
            match row.steps.last() {
                Some(step) => with_hands(drawn, step),
                None => drawn,
            }
        }
    })
}

fn act_scene(visible: &VisibleMatch<'_>, row: &SheetRow<'_>, number: u16, moment: String) -> Option<Scene> {
    let (step, _) = act(row, number)?;
    Some(after_step(visible, step, moment))
}

#[must_use]
pub fn act<'h>(row: &SheetRow<'h>, number: u16) -> Option<(&'h StepRecord, usize)> {
    let at = usize::from(number).checked_sub(1)?;
    // The last act is the end of the row.
    (at + 1 < row.steps.len()).then(|| row.steps.get(at).map(|step| (*step, at)))?
}

#[must_use]
pub fn step_scene(history: &History, number: u32) -> Option<Scene> {
    let visible = VisibleMatch::public(history);
    let rows = history.rows();
    let row = rows.iter().find(|row| row.steps.iter().any(|step| step.number == number))?;
    let step = row.steps.iter().find(|step| step.number == number)?;
    Some(after_step(&visible, step, row_words(&row.label)))
}

#[must_use]
pub fn shown_hands(step: &StepRecord) -> Vec<Panel> {
    let hands = step.effects.iter().filter_map(|effect| Some((effect.seat, effect.hand.clone()?)));
    hands.map(|(seat, hand)| Panel::Cards { title: "Hand".into(), seat, groups: vec![hand], in_play: true }).collect()
}

fn after_step(visible: &VisibleMatch<'_>, step: &StepRecord, moment: String) -> Scene {
    let before = visible.history.before(step.number);
    let since = before.map(|duel| duel.figures()).unwrap_or_default();
    let mut said = step_moves(visible, step, before);
    for effect in visible.effects([step]) {
        // In some games the action is an effect, too.
        if !said.contains(&effect) {
            said.push(effect);
        }
    }
    with_hands(scene(visible, moment, step.after.as_ref(), since, said), step)
}

/// The scene with the hands that the last step showed: they are in no state, and first on each side.
fn with_hands(mut scene: Scene, step: &StepRecord) -> Scene {
    if let Some(view) = &mut scene.view {
        view.panels.splice(..0, shown_hands(step));
    }
    scene
}

fn scene(
    visible: &VisibleMatch<'_>,
    moment: String,
    duel: Option<&Duel>,
    since: Vec<Figure>,
    said: Vec<String>,
) -> Scene {
    let names = visible.names();
    Scene {
        game: visible.history.ruleset().card().title.to_string(),
        moment,
        names: BySeat { p1: names.p1.to_owned(), p2: names.p2.to_owned() },
        winner: duel.and_then(|duel| duel.outcome().winner()),
        view: duel.map(|duel| visible.view(duel)),
        since,
        said,
    }
}

fn prompts(visible: &VisibleMatch<'_>, duel: &Duel) -> Vec<String> {
    let asks = duel.asks().into_iter().filter(|ask| !ask.optional);
    // A question put to both seats in the same words, each alone, appears once.
    let mut prompts: Vec<_> = asks.map(|ask| (prompt(visible, &ask), visible.name_in(&ask.default))).collect();
    prompts.dedup();
    prompts.into_iter().map(|(prompt, _)| prompt).collect()
}

fn row_moves<'h>(visible: &VisibleMatch<'_>, row: &SheetRow<'h>, mut before: Option<&'h Duel>) -> Vec<String> {
    let mut said = Vec::new();
    for &step in &row.steps {
        said.extend(step_moves(visible, step, before));
        before = step.after.as_ref();
    }
    said
}

fn step_moves(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>) -> Vec<String> {
    let names = visible.names();
    let sentence_of = |party: Party| {
        let name = party.seat().map_or("The host", |seat| names[seat]);
        Some(sentence(name, &move_text(visible, step, before, party)?))
    };
    parties().filter_map(sentence_of).collect()
}

fn sentence(name: &str, text: &MoveText) -> String {
    let actions: Vec<&str> = text.actions.iter().map(|action| action.name.as_str()).collect();
    let words = match (&text.words, &text.placeholder) {
        (Some(words), _) => words.clone(),
        (None, Some(placeholder)) if actions.is_empty() => placeholder.clone(),
        (None, _) => actions.join(" and "),
    };
    format!("{name}: {}.", words.trim_end_matches('.'))
}
