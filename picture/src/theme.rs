//! The colours, those of the pages: ledger paper, and ink on it.

use std::str::FromStr;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// Dark ink on light paper.
    #[default]
    Light,
    /// Light ink on dark paper.
    Dark,
}

/// A theme's colours, as in SVG.
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
}

const LIGHT: Palette = Palette {
    paper: "#fbfdfa",
    sheet: "#ffffff",
    tint: "#eff5ef",
    rule: "#c5d5c9",
    rule_5: "#7f9a88",
    edge: "#668070",
    ink: "#15211b",
    muted: "#46574d",
    flame: "#d9493f",
    red: "#b3151f",
    green: "#17683c",
    blue: "#1d4f9c",
    cyan: "#0f6f86",
    pink: "#a8286f",
    pink_tint: "#fbe6f1",
};

const DARK: Palette = Palette {
    paper: "#101713",
    sheet: "#1a251f",
    tint: "#1a251f",
    rule: "#2e3f36",
    rule_5: "#5d7868",
    edge: "#7b9786",
    ink: "#e7ede7",
    muted: "#abbab0",
    flame: "#d9493f",
    red: "#ff9a92",
    green: "#8fd6a9",
    blue: "#a5c5ff",
    cyan: "#7fd3e6",
    pink: "#f7a8d3",
    pink_tint: "#43203a",
};

impl Theme {
    /// Both, light first.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// `light` or `dark`, as in addresses.
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

impl FromStr for Theme {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|theme| theme.word() == word).ok_or(())
    }
}
