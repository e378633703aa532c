//! A QR code (ISO/IEC 18004) of an address, for paper.

use std::fmt::Write as _;

use askama::Template;
use qrcodegen::{Mask, QrCode, QrCodeEcc, QrSegment, Version};

#[derive(Clone, Debug, Template)]
#[template(
    source = r#"<svg class="qr" viewBox="-4 -4 {{ self.side() }} {{ self.side() }}" role="img" aria-label="QR code of {{ text }}" shape-rendering="crispEdges"><path d="{{ path }}"/></svg>"#,
    ext = "html"
)]
pub struct Qr {
    text: String,
    size: i32,
    path: String,
}

impl Qr {
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let segments = QrSegment::make_segments(text);
        // Readers accept any mask. Weighing all eight, as is usual, takes as long as making half of a match's page.
        let (from, to, mask) = (Version::MIN, Version::MAX, Some(Mask::new(0)));
        let code = QrCode::encode_segments_advanced(&segments, QrCodeEcc::Medium, from, to, mask, true).ok()?;
        let (size, mut path) = (code.size(), String::new());
        for y in 0..size {
            let mut x = 0;
            while x < size {
                let run = (x..size).take_while(|x| code.get_module(*x, y)).count();
                if run > 0 {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
                }
                x += i32::try_from(run).ok()?.max(1);
            }
        }
        Some(Self { text: text.to_owned(), size, path })
    }

    /// The modules along a side, with a margin of four light ones (section 6.3.8 of the standard).
    const fn side(&self) -> i32 {
        self.size + 8
    }
}

#[cfg(test)]
mod tests {
    use super::Qr;

    #[test]
    fn the_first_row_has_two_finders() {
        let code = Qr::of("https://matchbook.example/m/abc/verify").unwrap();
        assert!(code.path.starts_with("M0 0h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains(&format!("M{} 0h7v1h-7z", code.size - 7)), "{}", code.path);
        assert!(code.size >= 21 && Qr::of(&"x".repeat(8000)).is_none());
    }
}
