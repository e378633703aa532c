//! A state as data that a script can draw: the engine's view, in JSON.

use engine::{
    BySeat, CardFace, CardGroup, Cell, Colour, Duel, Figure, Mark, Panel, Seat, Shape, Sight, Sign, name_seats,
};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct StateView {
    counts: Vec<FigureView>,
    panels: Vec<PanelView>,
    state: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct FigureView {
    label: String,
    seat: Option<&'static str>,
    value: i32,
    change: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "panel", rename_all = "kebab-case")]
enum PanelView {
    Lamps { title: String, seat: &'static str, lamps: Vec<LampView> },
    Notice { title: String, seat: Option<&'static str>, text: String },
    Cards { title: String, seat: Option<&'static str>, groups: Vec<GroupView> },
    Grid { title: String, columns: Vec<String>, rows: Vec<RowView>, current: bool },
    Track { title: String, said: Vec<CallView> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct LampView {
    name: &'static str,
    letters: &'static str,
    lit: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct GroupView {
    label: String,
    cards: Vec<TileView>,
    empty: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct RowView {
    label: String,
    cells: Vec<TileView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct TileView {
    face: String,
    sign: &'static str,
    shape: &'static str,
    name: String,
    mark: &'static str,
    up: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct CallView {
    seat: &'static str,
    words: String,
}

impl StateView {
    pub(crate) fn of(duel: &Duel, since: Option<&Duel>, sight: Sight, names: BySeat<&str>) -> Self {
        let view = duel.view(sight);
        let old = since.map(|since| since.view(sight).figures).unwrap_or_default();
        Self {
            counts: view.figures.iter().map(|figure| FigureView::of(figure, &old)).collect(),
            panels: view.panels.into_iter().map(|panel| PanelView::of(panel, names)).collect(),
            state: duel.state(sight),
        }
    }
}

impl FigureView {
    fn of(figure: &Figure, old: &[Figure]) -> Self {
        let was = old.iter().find(|was| was.name == figure.name && was.seat == figure.seat);
        let change = was.map_or(0, |was| i64::from(figure.value) - i64::from(was.value));
        Self { label: figure.label.to_string(), seat: figure.seat.map(Seat::word), value: figure.value, change }
    }
}

impl PanelView {
    fn of(panel: Panel, names: BySeat<&str>) -> Self {
        match panel {
            Panel::Lamps { title, seat, lamps } => {
                let lamps = lamps
                    .iter()
                    .map(|lamp| LampView { name: lamp.name, letters: lamp.letters, lit: lamp.lit })
                    .collect();
                Self::Lamps { title: title.to_string(), seat: seat.word(), lamps }
            }
            Panel::Notice { title, seat, text } => {
                Self::Notice { title: title.to_string(), seat: seat.map(Seat::word), text: name_seats(&text, names) }
            }
            Panel::Cards { title, seat, groups, .. } => Self::Cards {
                title: title.to_string(),
                seat: seat.map(Seat::word),
                groups: groups.into_iter().map(GroupView::from).collect(),
            },
            Panel::Grid { title, columns, rows, current } => {
                let line = |(label, cells): (String, Vec<Cell>)| RowView {
                    label,
                    cells: cells.into_iter().map(TileView::from).collect(),
                };
                Self::Grid { title, columns, rows: rows.into_iter().map(line).collect(), current }
            }
            Panel::Track { title, said } => {
                let said = said.into_iter();
                let said = said.map(|(seat, words)| CallView { seat: seat.word(), words: name_seats(&words, names) });
                Self::Track { title: title.to_string(), said: said.collect() }
            }
        }
    }
}

impl From<CardGroup> for GroupView {
    fn from(group: CardGroup) -> Self {
        let cards = group.cards.into_iter().map(TileView::from).collect();
        Self { label: group.label, cards, empty: group.empty }
    }
}

impl From<CardFace> for TileView {
    fn from(tile: CardFace) -> Self {
        let (sign, shape) = sign(tile.sign);
        Self { face: tile.face, sign, shape, name: tile.name, mark: mark(tile.mark), up: false }
    }
}

impl From<Cell> for TileView {
    fn from(cell: Cell) -> Self {
        let (sign, shape) = sign(cell.sign);
        Self { face: cell.face, sign, shape, name: cell.name, mark: mark(cell.mark), up: cell.up }
    }
}

const fn sign(sign: Sign) -> (&'static str, &'static str) {
    match sign {
        Sign::None => ("none", ""),
        Sign::Back => ("back", ""),
        Sign::Clubs => ("clubs", ""),
        Sign::Diamonds => ("diamonds", ""),
        Sign::Hearts => ("hearts", ""),
        Sign::Spades => ("spades", ""),
        Sign::Red => ("red", ""),
        Sign::Green => ("green", ""),
        Sign::Blue => ("blue", ""),
        Sign::Shape(colour, shape) => {
            let colour = match colour {
                Colour::Cyan => "cyan",
                Colour::Pink => "pink",
                Colour::Grey => "grey",
            };
            let shape = match shape {
                Shape::Circle => "circle",
                Shape::Triangle => "triangle",
                Shape::Square => "square",
            };
            (colour, shape)
        }
    }
}

const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::None => "",
        Mark::New => "new",
        Mark::Gone => "gone",
        Mark::Hidden => "hidden",
        Mark::Perhaps => "perhaps",
    }
}
