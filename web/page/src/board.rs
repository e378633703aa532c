//! A state as a picture: a half for each seat, shared numbers between the halves, and the cards on the table below.

use app::views::VisibleMatch;
use askama::Template;
use engine::{BySeat, Duel, Figure, Lamp, Panel, Seat, Sight, View, Word};

use super::cards::{self, CardTable};
use super::chips::Chips;
use super::grid::{self, Grid};
use super::track::Track;
use super::{ActionIcon, PartyMove, SeatName};

#[derive(Clone, Debug, Template)]
#[template(path = "board.html")]
pub struct Board {
    title: String,
    p1: Side,
    p2: Side,
    shared: Vec<Count>,
    notices: Vec<Notice>,
    table: Vec<PanelView>,
    aside: Vec<Grid>,
    keys: Vec<&'static str>,
}

/// The parts of a state that are looked up rather than watched: boards that are not in play, a deck, what was assigned.
#[derive(Clone, Debug, Template)]
#[template(path = "board_aside.html")]
pub struct BoardAside {
    grids: Vec<Grid>,
    cards: Vec<CardTable>,
    keys: Vec<&'static str>,
}

#[derive(Clone, Debug)]
struct Side {
    name: SeatName,
    counts: Vec<Count>,
    panels: Vec<PanelView>,
    /// What it just played, as cards or words.
    moved: Vec<String>,
    is_reader: bool,
}

#[derive(Clone, Debug)]
pub(super) enum PanelView {
    Lamps(LampRow),
    Notice(Notice),
    Cards(CardTable),
    Grid(Grid),
    Track(Track),
}

#[derive(Clone, Debug)]
struct Count {
    label: Word,
    value: i32,
    change: Option<String>,
    chips: Option<Chips>,
}

#[derive(Clone, Debug)]
pub(super) struct LampRow {
    title: Word,
    lamps: Vec<Lamp>,
}

#[derive(Clone, Debug)]
pub(super) struct Notice {
    title: Word,
    pub(super) text: String,
}

impl Board {
    /// A state; with `since`, figures also show their change from that state.
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, title: impl Into<String>, duel: &Duel, since: Option<&Duel>) -> Self {
        let old = since.map(|duel| duel.figures()).unwrap_or_default();
        Self::of_view(title.into(), &visible.view(duel), &old, &SeatName::of(visible.history))
    }

    #[must_use]
    pub fn with_panels(mut self, visible: &VisibleMatch<'_>, panels: &[Panel]) -> Self {
        let names = SeatName::of(visible.history);
        for panel in panels {
            let side = match owner(panel) {
                Some(Seat::P1) => &mut self.p1.panels,
                Some(Seat::P2) => &mut self.p2.panels,
                None => &mut self.table,
            };
            side.insert(0, PanelView::of(panel, &names));
        }
        let more: Vec<_> = keys(panels).into_iter().filter(|key| !self.keys.contains(key)).collect();
        self.keys.extend(more);
        self
    }

    /// With what the seats just played, between them: each action a card, and what has no card in words.
    #[must_use]
    pub fn with_moves(mut self, moves: &[PartyMove], face_up: bool) -> Self {
        for one in moves {
            let side = match one.seat.as_ref().map(|name| name.seat) {
                Some(Seat::P1) => &mut self.p1.moved,
                Some(Seat::P2) => &mut self.p2.moved,
                None => continue,
            };
            side.extend(one.drawn(face_up));
        }
        self
    }

    pub fn without_match(title: &str, duel: &Duel, sight: Sight) -> Self {
        let names = BySeat { p1: "Seat 1", p2: "Seat 2" };
        let names = BySeat::from_fn(|seat| SeatName { seat, name: names[seat].to_owned(), winner: false });
        Self::of_view(title.to_owned(), &duel.view(sight), &[], &names)
    }

    fn of_view(title: String, view: &View, old: &[Figure], names: &BySeat<SeatName>) -> Self {
        // Chips are drawn on a table of cards alone.
        let with_chips = view.panels.iter().any(|panel| matches!(panel, Panel::Cards { .. }));
        let side = |seat| Side {
            name: names[seat].clone(),
            counts: counts(view, old, Some(seat), with_chips),
            panels: view
                .panels
                .iter()
                .filter(|panel| owner(panel) == Some(seat))
                .map(|panel| PanelView::of(panel, names))
                .collect(),
            moved: Vec::new(),
            is_reader: false,
        };
        let BySeat { p1, p2 } = BySeat::from_fn(side);
        let mut board = Self {
            title,
            p1,
            p2,
            shared: counts(view, old, None, with_chips),
            notices: Vec::new(),
            table: Vec::new(),
            aside: Vec::new(),
            keys: keys(&view.panels),
        };
        for panel in view.panels.iter().filter(|panel| owner(panel).is_none()) {
            match PanelView::of(panel, names) {
                PanelView::Notice(notice) => board.notices.push(notice),
                PanelView::Grid(grid) if !grid.current => board.aside.push(grid),
                panel => board.table.push(panel),
            }
        }
        board
    }

    #[must_use]
    pub const fn read_by(mut self, seat: Seat) -> Self {
        match seat {
            Seat::P1 => self.p1.is_reader = true,
            Seat::P2 => self.p2.is_reader = true,
        }
        self
    }

    #[must_use]
    pub fn without_table(mut self) -> Self {
        self.table.retain(|panel| match panel {
            PanelView::Grid(_) => false,
            PanelView::Cards(cards) => !cards.is_deck(),
            _ => true,
        });
        self
    }

    #[must_use]
    pub fn parted(mut self) -> (Self, Option<BoardAside>) {
        let mut cards = Vec::new();
        for panels in [&mut self.p1.panels, &mut self.p2.panels, &mut self.table] {
            cards.extend(panels.extract_if(.., |panel| panel.is_large()).filter_map(|panel| match panel {
                PanelView::Cards(cards) => Some(cards),
                _ => None,
            }));
        }
        let grids = std::mem::take(&mut self.aside);
        if grids.is_empty() && cards.is_empty() {
            return (self, None);
        }
        let keys = std::mem::take(&mut self.keys);
        (self, Some(BoardAside { grids, cards, keys }))
    }

    #[must_use]
    pub fn without_large(mut self) -> Self {
        for panels in [&mut self.p1.panels, &mut self.p2.panels, &mut self.table] {
            panels.retain(|panel| !panel.is_large());
        }
        self
    }

    #[must_use]
    pub fn says(&self, unit: &str, score: BySeat<i32>) -> bool {
        let says = |side: &Side, value| {
            side.counts.iter().any(|count| count.value == value && count.label.eq_ignore_ascii_case(unit))
        };
        says(&self.p1, score.p1) && says(&self.p2, score.p2)
    }

    #[must_use]
    pub fn has_cards(&self) -> bool {
        let mut panels = self.p1.panels.iter().chain(&self.p2.panels).chain(&self.table);
        !self.aside.is_empty() || panels.any(|panel| matches!(panel, PanelView::Cards(_) | PanelView::Grid(_)))
    }

    fn has_moved(&self) -> bool {
        !self.p1.moved.is_empty() || !self.p2.moved.is_empty()
    }

    fn has_held(&self) -> bool {
        self.p1.panels.iter().chain(&self.p2.panels).any(PanelView::is_cards)
    }

    fn has_middle(&self) -> bool {
        !self.shared.is_empty() || !self.notices.is_empty()
    }

    fn has_table(&self) -> bool {
        !self.table.is_empty() || !self.aside.is_empty()
    }
}

pub(super) const fn owner(panel: &Panel) -> Option<Seat> {
    match panel {
        Panel::Lamps { seat, .. } => Some(*seat),
        Panel::Notice { seat, .. } | Panel::Cards { seat, .. } => *seat,
        Panel::Grid { .. } | Panel::Track { .. } => None,
    }
}

impl PanelView {
    /// True if it lies between the seats of the stage: no deck, and no board but the one in play.
    pub(super) fn is_in_play(&self) -> bool {
        match self {
            Self::Grid(grid) => grid.current,
            Self::Track(_) => false,
            panel => !panel.is_large(),
        }
    }

    const fn is_cards(&self) -> bool {
        matches!(self, Self::Cards(_))
    }

    fn is_large(&self) -> bool {
        matches!(self, Self::Cards(cards) if cards.is_deck() || cards.is_sorted())
    }

    pub(super) fn of(panel: &Panel, names: &BySeat<SeatName>) -> Self {
        let name_in = |text: &str| engine::name_seats(text, names.as_ref().map(|name| name.name.as_str()));
        match panel {
            Panel::Lamps { title, lamps, .. } => Self::Lamps(LampRow { title: title.clone(), lamps: lamps.clone() }),
            Panel::Notice { title, text, .. } => Self::Notice(Notice { title: title.clone(), text: name_in(text) }),
            Panel::Cards { title, seat, groups, .. } => {
                let of = seat.map(|seat| names[seat].name.clone()).unwrap_or_default();
                Self::Cards(CardTable::of(&**title, of, groups))
            }
            Panel::Grid { title, columns, rows, current } => Self::Grid(Grid::of(title, columns, rows, *current)),
            Panel::Track { title, said } => {
                let said: Vec<_> = said.iter().map(|(seat, words)| (*seat, name_in(words))).collect();
                Self::Track(Track::of(&**title, &said, names))
            }
        }
    }
}

fn keys(panels: &[Panel]) -> Vec<&'static str> {
    let groups = panels.iter().flat_map(|panel| match panel {
        Panel::Cards { groups, .. } => groups.as_slice(),
        _ => &[],
    });
    let rows = panels.iter().flat_map(|panel| match panel {
        Panel::Grid { rows, .. } => rows.as_slice(),
        _ => &[],
    });
    let cells: Vec<_> = rows.flat_map(|(_, cells)| cells).collect();
    let marks = groups.flat_map(|group| &group.cards).map(|card| card.mark);
    let marks = cards::keys_to(marks.chain(cells.iter().map(|cell| cell.mark)));
    grid::key_to(&cells).into_iter().chain(marks).collect()
}

fn counts(view: &View, old: &[Figure], seat: Option<Seat>, with_chips: bool) -> Vec<Count> {
    let counted = view.figures.iter().filter(|figure| figure.seat == seat);
    counted.map(|figure| count(figure, old, with_chips)).collect()
}

fn count(figure: &Figure, old: &[Figure], with_chips: bool) -> Count {
    let was = old.iter().find(|was| was.name == figure.name && was.seat == figure.seat);
    let change = was.and_then(|was| change(was.value, figure.value));
    let chips = if with_chips { Chips::of(figure) } else { None };
    Count { label: figure.label.clone(), value: figure.value, change, chips }
}

/// `+3`, or `−2` with a true minus sign; none if nothing changed.
pub(super) fn change(from: i32, to: i32) -> Option<String> {
    match to.cmp(&from) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{}", to.abs_diff(from))),
        std::cmp::Ordering::Less => Some(format!("\u{2212}{}", to.abs_diff(from))),
    }
}

#[cfg(test)]
mod tests {
    use engine::{BySeat, CardFace, CardGroup, Cell, Colour, Figure, Mark, Panel, Seat, Shape, Sign, View};

    use super::{Board, change};
    use crate::SeatName;

    fn names() -> BySeat<SeatName> {
        let name = |seat| match seat {
            Seat::P1 => "Juniper",
            Seat::P2 => "Okapi",
        };
        BySeat::from_fn(|seat| SeatName { seat, name: name(seat).to_owned(), winner: false })
    }

    fn card(face: &str, sign: Sign, name: &str, mark: Mark) -> CardFace {
        CardFace { card: face.to_owned(), face: face.to_owned(), sign, name: name.to_owned(), mark }
    }

    fn board(title: &str, current: bool) -> Panel {
        let cell = |mark| Cell {
            sign: Sign::Shape(Colour::Grey, Shape::Square),
            face: String::new(),
            name: "a1, grey square".to_owned(),
            mark,
            up: false,
        };
        let rows = vec![("1".to_owned(), vec![cell(Mark::None)])];
        Panel::Grid { title: title.to_owned(), columns: vec!["a".to_owned()], rows, current }
    }

    fn view() -> View {
        let chips = |seat, value| Figure { name: "chips".into(), label: "Chips".into(), seat, value };
        let pool = |seat, cards| Panel::Cards {
            title: "Pool".into(),
            seat,
            groups: vec![CardGroup { label: String::new(), cards, empty: 0 }],
            in_play: false,
        };
        View {
            figures: vec![chips(Some(Seat::P1), 28), chips(Some(Seat::P2), 30)],
            panels: vec![
                pool(Some(Seat::P2), vec![card("7", Sign::Red, "red 7", Mark::Hidden)]),
                board("Board A", false),
                board("Board B", true),
                Panel::Track { title: "Bets".into(), said: vec![(Seat::P1, "raises to 4".to_owned())] },
                pool(None, vec![card("Q", Sign::Spades, "queen of spades", Mark::Gone)]),
            ],
        }
    }

    #[test]
    fn every_panel_has_its_place() {
        let old = [Figure { name: "chips".into(), label: "Chips".into(), seat: Some(Seat::P1), value: 30 }];
        let drawn = Board::of_view("After".to_owned(), &view(), &old, &names()).to_string();
        let at = |words: &str| drawn.find(words).unwrap_or_else(|| panic!("{words} in {drawn}"));
        // The halves, then the table, with the board in play before the others.
        assert!(at("Juniper") < at("\u{2212}2") && at("\u{2212}2") < at("red 7") && at("red 7") < at("state-table"));
        assert!(at("state-table") < at("Board B") && at("Board B") < at("Board A"));
        assert!(at("raises to 4") < at("queen of spades, gone"));
        assert!(drawn.contains("red 7, face down to the players"), "{drawn}");
        for key in ["g, dashed: grey", "Struck out: gone", "Dashed frame"] {
            assert!(at("state-table") < at(key), "{drawn}");
        }
        // There is nothing between the halves.
        assert!(drawn.contains("is-open") && !drawn.contains("state-pot"), "{drawn}");
    }

    #[test]
    fn a_players_own_half_says_so() {
        let board = Board::of_view("Now".to_owned(), &view(), &[], &names());
        assert!(!board.to_string().contains(">you<"));
        let drawn = board.read_by(Seat::P2).to_string();
        assert!(drawn.contains("<bdi>Okapi</bdi></span> <span class=\"you\">you</span></h3>"), "{drawn}");
        assert_eq!(drawn.matches(">you<").count(), 1, "{drawn}");
    }

    #[test]
    fn a_score_is_known_by_its_unit() {
        let board = Board::of_view("Now".to_owned(), &view(), &[], &names());
        let score = BySeat { p1: 28, p2: 30 };
        assert!(board.says("chips", score));
        assert!(!board.says("hands", score));
        assert!(!board.says("chips", BySeat { p1: 28, p2: 31 }));
    }

    #[test]
    fn a_change_has_its_sign() {
        assert_eq!(change(3, 5).as_deref(), Some("+2"));
        assert_eq!(change(5, 1).as_deref(), Some("\u{2212}4"));
        assert_eq!(change(4, 4), None);
    }
}
