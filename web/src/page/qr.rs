//! A QR code (ISO/IEC 18004) of an address, for paper.

use askama::Template;
use fast_qr::QRBuilder;

/// A code, ready to be drawn.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"<svg class="qr" viewBox="-4 -4 {{ self.side() }} {{ self.side() }}" role="img" aria-label="QR code of {{ text }}" shape-rendering="crispEdges"><path d="{{ path }}"/></svg>"#,
    ext = "html"
)]
pub struct Qr {
    text: String,
    size: usize,
    /// The dark modules, each run of a row as one rectangle.
    path: String,
}

impl Qr {
    /// Of this text; none where it is too long for any code.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let code = QRBuilder::new(text).build().ok()?;
        let mut path = String::new();
        for y in 0..code.size {
            let mut x = 0;
            while x < code.size {
                let run = (x..code.size).take_while(|x| code[y][*x].value()).count();
                if run > 0 {
                    path.push_str(&format!("M{x} {y}h{run}v1h-{run}z"));
                }
                x += run.max(1);
            }
        }
        Some(Self { text: text.to_owned(), size: code.size, path })
    }

    /// Modules along a side, with four light ones around (section 6.3.8 of the standard).
    const fn side(&self) -> usize {
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
