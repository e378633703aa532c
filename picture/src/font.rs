//! The bundled font, and the widths of its characters.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The files, Medium and Bold; see `fonts/README.md`.
pub(crate) const FILES: [&[u8]; 2] =
    [include_bytes!("../fonts/Inter-Medium.otf"), include_bytes!("../fonts/Inter-Bold.otf")];

/// The families in an SVG: ours, or one of a reader's with the same widths.
pub(crate) const FAMILIES: &str = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";

pub(crate) const FAMILY: &str = "Inter";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Medium,
    Bold,
}

impl Weight {
    pub(crate) const fn number(self) -> u16 {
        match self {
            Self::Medium => 500,
            Self::Bold => 700,
        }
    }
}

/// Advances in thousandths of the size, by weight.
static ADVANCES: LazyLock<[BTreeMap<char, i32>; 2]> = LazyLock::new(|| FILES.map(advances));

/// The width that a reader's own font may need for a character that this one lacks.
const LACKING: i32 = 1000;

fn advances(file: &[u8]) -> BTreeMap<char, i32> {
    let Ok(font) = FontRef::new(file) else { return BTreeMap::new() };
    let metrics = font.glyph_metrics(Size::new(1000.0), LocationRef::default());
    let wide = |(code, glyph)| Some((char::from_u32(code)?, metrics.advance_width(glyph)?.ceil() as i32));
    font.charmap().mappings().filter_map(wide).collect()
}

/// The width of a character, in thousandths of the size.
pub(crate) fn advance(sign: char, weight: Weight) -> i32 {
    let [medium, bold] = &*ADVANCES;
    let advances = match weight {
        Weight::Medium => medium,
        Weight::Bold => bold,
    };
    advances.get(&sign).copied().unwrap_or(LACKING)
}

pub(crate) fn is_known(sign: char) -> bool {
    ADVANCES.iter().all(|advances| advances.contains_key(&sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_we_write() {
        let [medium, bold] = &*ADVANCES;
        for sign in "AZaz09 .,:;’‘“”…–—→×−+?()/éÅßœžŁșğñçÆøĐþ ΩωЖяїẾữ".chars()
        {
            assert!(medium.contains_key(&sign) && bold.contains_key(&sign), "{sign:?}");
        }
        assert_eq!(advance('\u{1f0cf}', Weight::Bold), LACKING);
        assert!(advance('i', Weight::Medium) < advance('W', Weight::Medium));
    }
}
