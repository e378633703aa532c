//! The fronts: the colour and the shape of each cell of the five boards.

use core::ops::{Index, IndexMut};

use super::{Board, ByBoard, Cell, Cells};
use crate::{Colour, Shape};

/// The three shapes, in the order of their groups.
pub(super) const SHAPES: [Shape; 3] = [Shape::Circle, Shape::Triangle, Shape::Square];
pub(super) const COLOURS: [Colour; 3] = [Colour::Cyan, Colour::Pink, Colour::Grey];

/// The front of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Cyan, pink or grey.
    pub colour: Colour,
    /// Circle, triangle or square.
    pub shape: Shape,
}

impl Front {
    /// As the notation writes it, such as `co`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match (self.colour, self.shape) {
            (Colour::Cyan, Shape::Circle) => "co",
            (Colour::Cyan, Shape::Triangle) => "ct",
            (Colour::Cyan, Shape::Square) => "cs",
            (Colour::Pink, Shape::Circle) => "po",
            (Colour::Pink, Shape::Triangle) => "pt",
            (Colour::Pink, Shape::Square) => "ps",
            (Colour::Grey, Shape::Circle) => "go",
            (Colour::Grey, Shape::Triangle) => "gt",
            (Colour::Grey, Shape::Square) => "gs",
        }
    }

    /// For people, such as "cyan circle".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.colour, self.shape) {
            (Colour::Cyan, Shape::Circle) => "cyan circle",
            (Colour::Cyan, Shape::Triangle) => "cyan triangle",
            (Colour::Cyan, Shape::Square) => "cyan square",
            (Colour::Pink, Shape::Circle) => "pink circle",
            (Colour::Pink, Shape::Triangle) => "pink triangle",
            (Colour::Pink, Shape::Square) => "pink square",
            (Colour::Grey, Shape::Circle) => "grey circle",
            (Colour::Grey, Shape::Triangle) => "grey triangle",
            (Colour::Grey, Shape::Square) => "grey square",
        }
    }

    pub(super) fn read(word: &str) -> Option<Self> {
        let all = COLOURS.into_iter().flat_map(|colour| SHAPES.map(|shape| Self { colour, shape }));
        let (first, second) = word.split_at_checked(1)?;
        let either = |text: &str| {
            let (colour, shape) = text.split_at(1);
            let is = |letter: &str, other: &str| letter.eq_ignore_ascii_case(other);
            (is(colour, first) && is(shape, second)) || (is(shape, first) && is(colour, second))
        };
        all.into_iter().find(|front| either(front.text()))
    }
}

pub(super) const fn colour_word(colour: Colour) -> &'static str {
    match colour {
        Colour::Cyan => "cyan",
        Colour::Pink => "pink",
        Colour::Grey => "grey",
    }
}

pub(super) const fn shape_word(shape: Shape) -> &'static str {
    match shape {
        Shape::Circle => "circle",
        Shape::Triangle => "triangle",
        Shape::Square => "square",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByShape<T> {
    circle: T,
    triangle: T,
    square: T,
}

impl<T> ByShape<T> {
    pub(super) fn from_fn(mut make: impl FnMut(Shape) -> T) -> Self {
        Self { circle: make(Shape::Circle), triangle: make(Shape::Triangle), square: make(Shape::Square) }
    }
}

impl<T> Index<Shape> for ByShape<T> {
    type Output = T;

    fn index(&self, shape: Shape) -> &T {
        match shape {
            Shape::Circle => &self.circle,
            Shape::Triangle => &self.triangle,
            Shape::Square => &self.square,
        }
    }
}

impl<T> IndexMut<Shape> for ByShape<T> {
    fn index_mut(&mut self, shape: Shape) -> &mut T {
        match shape {
            Shape::Circle => &mut self.circle,
            Shape::Triangle => &mut self.triangle,
            Shape::Square => &mut self.square,
        }
    }
}

/// The fronts of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fronts {
    cyan: Cells,
    pink: Cells,
    grey: Cells,
    shapes: ByShape<Cells>,
}

impl Fronts {
    /// The board with these fronts, row by row.
    #[must_use]
    pub fn new(fronts: &[Front; 25]) -> Self {
        let mut board = Self::default();
        for (cell, front) in Cell::all().zip(fronts) {
            match front.colour {
                Colour::Cyan => board.cyan.add(cell),
                Colour::Pink => board.pink.add(cell),
                Colour::Grey => board.grey.add(cell),
            }
            board.shapes[front.shape].add(cell);
        }
        board
    }

    /// A cell's front.
    #[must_use]
    pub fn front(&self, cell: Cell) -> Front {
        let colour = match () {
            () if self.cyan.has(cell) => Colour::Cyan,
            () if self.pink.has(cell) => Colour::Pink,
            () => Colour::Grey,
        };
        let shape = SHAPES.into_iter().find(|shape| self.shapes[*shape].has(cell)).unwrap_or(Shape::Circle);
        Front { colour, shape }
    }

    /// All fronts, row by row.
    #[must_use]
    pub fn fronts(&self) -> [Front; 25] {
        let mut fronts = [Front { colour: Colour::Grey, shape: Shape::Circle }; 25];
        for (cell, front) in Cell::all().zip(&mut fronts) {
            *front = self.front(cell);
        }
        fronts
    }

    /// The cells of a colour.
    #[must_use]
    pub fn coloured(&self, colour: Colour) -> Cells {
        match colour {
            Colour::Cyan => self.cyan,
            Colour::Pink => self.pink,
            Colour::Grey => self.grey,
        }
    }

    /// The cells of one group.
    #[must_use]
    pub fn group(&self, colour: Colour, shape: Shape) -> Cells {
        self.coloured(colour).within(self.shapes[shape])
    }
}

/// The fronts of all five boards.
pub type Layout = ByBoard<Fronts>;

/// The layout that is used unless the host lays out another. It is ours, because the rule post's pictures are lost.
const DEFAULT: ByBoard<&str> = ByBoard::new([
    "go po ct ps go po ct ps co pt cs po go co ps ct po cs pt co go cs pt co go",
    "pt cs go co pt cs po ct ps co gt ct go pt gt po cs pt co ps ct po go ps ct",
    "cs po ct ps co pt go ps gt po ct ps gs cs pt co gt cs go ct po cs pt co ps",
    "po ct ps co pt cs po gt pt cs po gs gs gs co ps ct gt co ps ct po cs pt co",
    "ct gt cs po ct ps co pt cs go co pt gs ct po go ps ct po cs pt co ps gt pt",
]);

/// The default layout.
#[must_use]
pub fn default_layout() -> Layout {
    ByBoard::from_fn(|board: Board| {
        let mut fronts = [Front { colour: Colour::Grey, shape: Shape::Circle }; 25];
        for (front, word) in fronts.iter_mut().zip(DEFAULT[board].split(' ')) {
            *front = Front::read(word).unwrap_or(*front);
        }
        Fronts::new(&fronts)
    })
}
