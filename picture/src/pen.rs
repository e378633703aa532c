//! Writes the SVG: a few shapes in whole pixels, and text. No arcs, gradients, filters or links: arcs need sines, which
//! are not the same on every machine.

use std::fmt::{self, Write};

use crate::text::Style;
use crate::theme::Palette;

#[derive(Debug)]
pub(crate) struct Pen {
    pub(crate) palette: &'static Palette,
    out: String,
}

/// For text wider than this many times its size, the SVG states the width.
const LONG: i32 = 6;

/// A decimal number, in thousandths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thousandths(pub(crate) i32);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, whole, part) = (if self.0 < 0 { "-" } else { "" }, self.0.abs() / 1000, self.0.abs() % 1000);
        write!(f, "{sign}{whole}")?;
        match part {
            0 => Ok(()),
            part => f.write_str(format!(".{part:03}").trim_end_matches('0')),
        }
    }
}

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i32,
    pub(crate) h: i32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) fill: &'static str,
    pub(crate) stroke: Option<(&'static str, i32)>,
    pub(crate) dashed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Look {
    pub(crate) const fn filled(fill: &'static str) -> Self {
        Self { fill, stroke: None, dashed: false }
    }

    pub(crate) const fn outlined(fill: &'static str, colour: &'static str, width: i32) -> Self {
        Self { fill, stroke: Some((colour, width)), dashed: false }
    }

    pub(crate) const fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

impl Rect {
    pub(crate) const fn centre(self) -> (i32, i32) {
        (self.x + self.w / 2, self.y + self.h / 2)
    }

    pub(crate) const fn inset(self, by: i32) -> Self {
        Self { x: self.x + by, y: self.y + by, w: self.w - 2 * by, h: self.h - 2 * by }
    }
}

impl Pen {
    pub(crate) const fn new(palette: &'static Palette) -> Self {
        Self { palette, out: String::new() }
    }

    pub(crate) fn into_svg(self) -> String {
        self.out
    }

    /// A text with its baseline at `y`. A reader's own font is squeezed into the width of ours.
    pub(crate) fn text(&mut self, (x, y): (i32, i32), anchor: Anchor, style: Style, colour: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (size, weight, width) = (style.size, style.weight.number(), style.width(text));
        self.raw(&format!("<text x=\"{x}\" y=\"{y}\"{anchor} font-size=\"{size}\" font-weight=\"{weight}\""));
        if width > LONG * size {
            self.raw(&format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\""));
        }
        self.raw(&format!(" fill=\"{colour}\">"));
        self.escaped(text);
        self.raw("</text>\n");
    }

    pub(crate) fn rect(&mut self, rect: Rect, look: Look) {
        let Rect { x, y, w, h } = rect;
        self.path(&format!("M{x} {y}h{w}v{h}h-{w}z"), look);
    }

    pub(crate) fn rounded(&mut self, rect: Rect, radius: i32, look: Look) {
        let Rect { x, y, w, h } = rect;
        let (r, across, down) = (radius, w - 2 * radius, h - 2 * radius);
        let corners =
            format!("h{across}q{r} 0 {r} {r}v{down}q0 {r}-{r} {r}h-{across}q-{r} 0-{r}-{r}v-{down}q0-{r} {r}-{r}z");
        self.path(&format!("M{} {y}{corners}", x + r), look);
    }

    /// A path in pixels.
    pub(crate) fn path(&mut self, path: &str, look: Look) {
        self.raw(&format!("<path d=\"{path}\"{}/>\n", attributes(look)));
    }

    pub(crate) fn scaled(&mut self, (x, y): (i32, i32), size: i32, path: &str, look: Look) {
        let scale = Thousandths(size * 1000 / 16);
        self.raw(&format!(
            "<path transform=\"translate({x} {y}) scale({scale})\" d=\"{path}\"{}/>\n",
            attributes(look)
        ));
    }

    pub(crate) fn disc(&mut self, centre: (i32, i32), radius: i32, look: Look) {
        self.path(&disc(centre, radius), look);
    }

    /// Our own markup.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Text from anybody.
    pub(crate) fn escaped(&mut self, text: &str) {
        for sign in text.chars() {
            match sign {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                sign => self.out.push(sign),
            }
        }
    }
}

/// The outline of a disc, as four curves.
pub(crate) fn disc((x, y): (i32, i32), radius: i32) -> String {
    // The reach of the curves' handles that comes closest to a circle.
    let bend = radius * 552;
    let at = |place: i32, by: i32| Thousandths(place * 1000 + by);
    let (r, k) = (radius * 1000, bend);
    let point = |dx: i32, dy: i32| format!("{} {}", at(x, dx), at(y, dy));
    let curve = |one, other, end| format!("C{one} {other} {end}");
    let curves = [
        curve(point(k, -r), point(r, -k), point(r, 0)),
        curve(point(r, k), point(k, r), point(0, r)),
        curve(point(-k, r), point(-r, k), point(-r, 0)),
        curve(point(-r, -k), point(-k, -r), point(0, -r)),
    ];
    format!("M{}{}z", point(0, -r), curves.concat())
}

fn attributes(look: Look) -> String {
    let mut out = format!(" fill=\"{}\"", look.fill);
    if let Some((colour, width)) = look.stroke {
        let _ = write!(out, " stroke=\"{colour}\" stroke-width=\"{width}\"");
        if look.dashed {
            let _ = write!(out, " stroke-dasharray=\"{} {}\"", 3 * width, 2 * width);
        }
    }
    out
}
