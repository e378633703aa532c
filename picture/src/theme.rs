//! The colours, those of the pages' style sheet. A test of the pages compares them.

use std::str::FromStr;

use engine::Seat;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub(crate) paper: &'static str,
    pub(crate) sheet: &'static str,
    pub(crate) tint: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) rule_5: &'static str,
    pub(crate) edge: &'static str,
    pub(crate) ink: &'static str,
    pub(crate) muted: &'static str,
    pub(crate) flame: &'static str,
    pub(crate) red: &'static str,
    pub(crate) green: &'static str,
    pub(crate) blue: &'static str,
    pub(crate) cyan: &'static str,
    pub(crate) pink: &'static str,
    pub(crate) pink_tint: &'static str,
    pub(crate) p1: &'static str,
    /// The second seat's.
    pub(crate) p2: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#fbf6ea",
    sheet: "#fffdf7",
    tint: "#f2eadb",
    rule: "#dfd5c1",
    rule_5: "#a9a69b",
    edge: "#877c68",
    ink: "#211c16",
    muted: "#5e5546",
    flame: "#d9493f",
    red: "#b3151f",
    green: "#17683c",
    blue: "#1d4f9c",
    cyan: "#0f6f86",
    pink: "#a8286f",
    pink_tint: "#fbe6f1",
    p1: "#1a56b8",
    p2: "#a84400",
};

const DARK: Palette = Palette {
    paper: "#171512",
    sheet: "#211e1a",
    tint: "#2b2722",
    rule: "#3d3830",
    rule_5: "#59616b",
    edge: "#938977",
    ink: "#f4ecdd",
    muted: "#bdb19d",
    flame: "#d9493f",
    red: "#ff9a92",
    green: "#8fd6a9",
    blue: "#a5c5ff",
    cyan: "#7fd3e6",
    pink: "#f7a8d3",
    pink_tint: "#43203a",
    p1: "#94baff",
    p2: "#ffb074",
};

impl Palette {
    pub(crate) const fn of(&self, seat: Seat) -> &'static str {
        match seat {
            Seat::P1 => self.p1,
            Seat::P2 => self.p2,
        }
    }
}

impl Theme {
    /// Both, light first.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) const fn palette(self) -> &'static Palette {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

#[must_use]
pub const fn colours(theme: Theme) -> [(&'static str, &'static str); 9] {
    let colours = theme.palette();
    [
        ("paper", colours.paper),
        ("sheet", colours.sheet),
        ("tint", colours.tint),
        ("rule", colours.rule),
        ("edge", colours.edge),
        ("ink", colours.ink),
        ("muted", colours.muted),
        ("p1", colours.p1),
        ("p2", colours.p2),
    ]
}

impl FromStr for Theme {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|theme| theme.word() == word).ok_or(())
    }
}
