//! Choices from a list: action cards, the cards of a deck, and the cells of a board.

use engine::{BySeat, CardFace, CardGroup, Choice, Panel, Sign, View, Word, name_seats};

use super::super::barred_words;
use super::super::grid::{CellPick, Grid, MiniBoard};
use super::super::icon::{ActionIcon, Icon};
use super::{Face, Fields, Kind, all, first};

/// A longer list is a deck.
const LIST_MAX: usize = 12;
/// Up to this many amounts can be pressed; with more, the number is typed.
const AMOUNTS_MAX: u32 = 12;
pub(super) const NOTHING: &str = "nothing";

#[derive(Debug)]
pub(super) struct Pick {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) barred: Option<String>,
    pub(super) picked: bool,
    pub(super) several: bool,
    pub(super) again: Option<bool>,
    pub(super) icon: Option<ActionIcon>,
    pub(super) face: Face,
    /// The board that it stands for, drawn small.
    pub(super) board: Option<MiniBoard>,
    /// The clause that bars it.
    pub(super) rule: Option<&'static str>,
    /// What stands on its card where it is barred, in a word or two.
    pub(super) short: String,
}

#[derive(Debug)]
pub(super) struct BarredPair {
    pub(super) values: String,
    pub(super) why: String,
}

impl BarredPair {
    pub(super) fn among(
        picks: &[Pick],
        targets: &[TargetRow],
        refused: impl Fn(&str, &str) -> Option<String>,
    ) -> Vec<Self> {
        // An item, such as `+overload`, is no action, and nothing is chosen alone.
        let is_action = |pick: &&Pick| pick.value != NOTHING && !pick.value.starts_with('+');
        let free = picks.iter().filter(|pick| pick.several && pick.barred.is_none());
        let free: Vec<&Pick> = free.filter(is_action).collect();
        let pairs = free.iter().enumerate().flat_map(|(n, one)| free.iter().skip(n + 1).map(move |other| (one, other)));
        let barred = pairs.filter_map(|(one, other)| {
            let others = spelled(other, targets);
            let ways =
                spelled(one, targets).into_iter().flat_map(|one| others.iter().map(move |other| (one.clone(), other)));
            let whys: Option<Vec<String>> = ways.map(|(one, other)| refused(&one, other)).collect();
            let why = whys?.into_iter().next()?;
            let named = [one, other].iter().all(|pick| why.contains(&pick.label));
            let why = if named { why } else { format!("{} with {}: {why}", one.label, other.label) };
            Some(Self { values: format!("{} {}", one.value, other.value), why })
        });
        barred.collect()
    }
}

fn spelled(pick: &Pick, targets: &[TargetRow]) -> Vec<String> {
    match targets.iter().find(|row| row.field == format!("target-{}", pick.value)) {
        Some(row) => row.targets.iter().map(|target| format!("{}:{}", pick.value, target.value)).collect(),
        None => vec![pick.value.clone()],
    }
}

#[derive(Debug)]
pub(super) struct TargetRow {
    pub(super) field: String,
    pub(super) legend: String,
    pub(super) several: bool,
    pub(super) targets: Vec<Target>,
}

impl TargetRow {
    pub(super) fn is_picked(&self) -> bool {
        self.targets.iter().any(|target| target.picked)
    }
}

#[derive(Debug)]
pub(super) struct Target {
    pub(super) value: &'static str,
    pub(super) label: String,
    pub(super) picked: bool,
    pub(super) icon: Option<ActionIcon>,
}

#[derive(Debug)]
pub(super) struct AmountRow {
    pub(super) word: Word,
    pub(super) legend: String,
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) sent: String,
    pub(super) numbers: Vec<u32>,
    /// Amounts that are worth a button of their own, by what they mean.
    pub(super) steps: Vec<(u32, &'static str)>,
}

impl AmountRow {
    fn of(choice: &Choice, view: &View, sent: &Fields) -> Option<Self> {
        let (least, most) = choice.amounts.filter(|_| choice.barred.is_none())?;
        let short = most.saturating_sub(least) < AMOUNTS_MAX;
        Some(Self {
            word: choice.word.clone(),
            legend: format!("{} to", choice.label),
            least,
            most,
            sent: first(sent, &format!("amount-{}", choice.word)).to_owned(),
            numbers: if short { (least..=most).collect() } else { Vec::new() },
            steps: steps(view, least, most),
        })
    }

    pub(super) fn is_sent(&self, number: &u32) -> bool {
        self.sent == number.to_string()
    }
}

/// The least, half the pot, the pot, and everything: those of them that can be named.
fn steps(view: &View, least: u32, most: u32) -> Vec<(u32, &'static str)> {
    let pot = view.figures.iter().find(|figure| figure.seat.is_none()).map_or(0, |figure| figure.value);
    let pot = u32::try_from(pot).unwrap_or_default();
    let raised = |by: u32| least.saturating_sub(1).saturating_add(by);
    let all = [(least, "least"), (raised(pot / 2), "half pot"), (raised(pot), "pot"), (most, "all in")];
    let mut steps: Vec<(u32, &str)> = Vec::new();
    for (amount, name) in all.into_iter().filter(|(amount, _)| (least..=most).contains(amount)) {
        if steps.iter().all(|(known, _)| *known != amount) {
            steps.push((amount, name));
        }
    }
    steps
}

fn pick(choice: &Choice, names: BySeat<&str>, sent: &Fields) -> Pick {
    // A submitted word may name its target: `block:claim`.
    let named = |value: &str| value.split(':').next() == Some(&*choice.word);
    let count: usize = all(sent, "pick").flat_map(|value| words_of(choice, value)).filter(|word| named(word)).count();
    Pick {
        value: choice.word.to_string(),
        label: choice.label.to_string(),
        hint: name_seats(&choice.hint, names),
        barred: choice.barred.as_ref().map(|why| name_seats(&barred_words(&[&choice.label], &why.expected), names)),
        picked: count > 0,
        several: false,
        again: (choice.copies > 1).then_some(count > 1),
        icon: ActionIcon::of(&choice.word),
        face: None,
        board: None,
        rule: choice.barred.as_ref().and_then(|why| why.rule),
        short: String::new(),
    }
}

fn words_of<'v>(choice: &Choice, value: &'v str) -> Vec<&'v str> {
    if choice.word.contains(' ') { vec![value] } else { value.split_whitespace().collect() }
}

fn targets(field: String, legend: String, choices: &[&Choice], several: bool, sent: &Fields) -> Option<TargetRow> {
    let offered = &choices.first()?.targets;
    let named = |word: &str| {
        let tail = |value: &str| choices.iter().any(|choice| value == format!("{}:{word}", choice.word));
        all(sent, &field).any(|value| value == word) || all(sent, "pick").flat_map(str::split_whitespace).any(tail)
    };
    let target = |(word, label): &(&'static str, &'static str)| Target {
        value: word,
        label: record::words::capital(label),
        picked: named(word),
        icon: ActionIcon::of(word),
    };
    let targets: Vec<Target> = offered.iter().map(target).collect();
    (!targets.is_empty()).then_some(TargetRow { field, legend, several, targets })
}

fn shared_targets(choices: &[Choice], sent: &Fields) -> Vec<TargetRow> {
    let with: Vec<&Choice> = choices.iter().filter(|choice| !choice.targets.is_empty()).collect();
    let labels: Vec<&str> =
        with.first().map(|choice| choice.targets.iter().map(|(_, label)| *label).collect()).unwrap_or_default();
    targets("target".to_owned(), labels.join(" or "), &with, false, sent).into_iter().collect()
}

pub(super) fn one(choices: &[Choice], view: &View, names: BySeat<&str>, sent: &Fields) -> Kind {
    let picks = choices.iter().map(|choice| Pick {
        face: face(view, &choice.word),
        board: MiniBoard::of(view, &choice.label),
        ..pick(choice, names, sent)
    });
    let picks: Vec<Pick> = picks.collect();
    let (targets, amounts) = (
        shared_targets(choices, sent),
        choices.iter().filter_map(|choice| AmountRow::of(choice, view, sent)).collect::<Vec<_>>(),
    );
    if let Some((grid, cells)) = board(choices, &picks, view) {
        // A neighbour that is not there is nothing to choose.
        let is_none = |choice: &Choice| choice.barred.is_some() && !choice.targets.is_empty();
        let rest = picks.into_iter().zip(choices).zip(cells);
        let rest = rest.filter(|((_, choice), cell)| cell.is_none() && !is_none(choice));
        return Kind::Board { grid, rest: rest.map(|((pick, _), _)| pick).collect(), targets };
    }
    if choices.len() > LIST_MAX {
        return deck(picks);
    }
    Kind::Cards { legend: "Choose one".to_owned(), picks, targets, amounts, most: 1, pairs: Vec::new() }
}

fn deck(picks: Vec<Pick>) -> Kind {
    let (mut rows, mut rest): (Vec<Vec<Pick>>, Vec<Pick>) = (Vec::new(), Vec::new());
    let sign = |pick: &Pick| pick.face.as_ref().map(|(_, sign)| sign.class());
    for pick in picks {
        match rows.last_mut() {
            _ if pick.face.is_none() => rest.push(pick),
            Some(row) if row.first().and_then(sign) == sign(&pick) => row.push(pick),
            _ => rows.push(vec![pick]),
        }
    }
    Kind::Deck { rows, rest }
}

fn board<'c>(choices: &'c [Choice], picks: &[Pick], view: &View) -> Option<(Grid, Vec<Option<&'c str>>)> {
    let found = view.panels.iter().find_map(|panel| match panel {
        Panel::Grid { title, columns, rows, current: true } => Some((title, columns, rows)),
        _ => None,
    });
    let (title, columns, rows) = found?;
    let names: Vec<String> =
        rows.iter().flat_map(|(row, _)| columns.iter().map(move |column| format!("{column}{row}"))).collect();
    // A choice is about a cell if its word is the cell's name, or if its hint begins with that.
    let cell_of = |choice: &'c Choice| {
        let named = [&*choice.word, choice.hint.split(',').next().unwrap_or_default()];
        named.into_iter().find(|word| names.iter().any(|name| name == word))
    };
    let cells: Vec<Option<&str>> = choices.iter().map(cell_of).collect();
    if cells.iter().all(Option::is_none) {
        return None;
    }
    let of_cell = |cell: &str| {
        let at = cells.iter().position(|known| *known == Some(cell))?;
        let pick = picks.get(at)?;
        Some(CellPick {
            field: "pick".to_owned(),
            value: pick.value.clone(),
            label: if pick.value == cell { String::new() } else { format!("{}: ", pick.label) },
            barred: pick.barred.clone(),
            picked: pick.picked,
        })
    };
    let grid = Grid::of(title, columns, rows, true).with_picks(of_cell);
    Some((grid, cells))
}

pub(super) fn several(
    choices: &[Choice],
    (least, most): (u8, u8),
    names: BySeat<&str>,
    nothing: bool,
    sent: &Fields,
) -> Kind {
    let mut picks: Vec<Pick> =
        choices.iter().map(|choice| Pick { several: true, ..pick(choice, names, sent) }).collect();
    let rows = choices.iter().filter(|choice| !choice.targets.is_empty());
    let rows = rows.filter_map(|choice| {
        let legend = format!("{} which action?", choice.label);
        targets(format!("target-{}", choice.word), legend, &[choice], true, sent)
    });
    if nothing {
        picks.push(Pick {
            value: NOTHING.to_owned(),
            label: "Nothing".to_owned(),
            hint: "play no action".to_owned(),
            barred: None,
            picked: all(sent, "pick").any(|picked| picked == NOTHING),
            several: true,
            again: None,
            icon: ActionIcon::of(NOTHING),
            face: None,
            board: None,
            rule: None,
            short: String::new(),
        });
    }
    let legend = match (least, most) {
        (least, most) if least == most => format!("Choose {most}"),
        (0, most) => format!("Choose up to {most}"),
        (least, most) => format!("Choose {least} to {most}"),
    };
    Kind::Cards { legend, picks, targets: rows.collect(), amounts: Vec::new(), most, pairs: Vec::new() }
}

pub(super) fn face(view: &View, word: &str) -> Face {
    let word = word.rsplit(' ').next().unwrap_or(word);
    let groups = view.panels.iter().filter_map(|panel| match panel {
        Panel::Cards { groups, .. } => Some(groups.as_slice()),
        _ => None,
    });
    let found =
        |group: &CardGroup| group.cards.iter().find(|tile| tile.card == word && tile.sign != Sign::Back).cloned();
    let tile: CardFace = groups.flatten().find_map(found)?;
    Some((tile.face, Icon(tile.sign)))
}
