//! Several pictures in turn as one animated GIF, for chats: the same bytes on every machine.
//!
//! It is drawn at half the size of a picture, or a little smaller if the match is long: chats refuse large files. The
//! colours of all frames share one palette, and a frame holds only the part that differs from the one before.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::Pixmap;

use crate::png::{PngError, draw, scaled};
use crate::sheet::{HEIGHT, WIDTH};

/// The parts of a picture's size, each way, from the first try to the last.
const SCALES: [f32; 3] = [0.5, 0.45, 0.4];
/// How long a frame is shown, in hundredths of a second, and the last one, which begins again.
const SHOWN: u16 = 130;
const LAST_SHOWN: u16 = 400;
/// The bytes that are too many for a chat.
const TOO_LARGE: usize = 1_000_000;
/// The index that says "as before".
const SAME: u8 = 255;

/// The reason why there is no animated picture; each would be a bug of this crate.
#[derive(Debug, thiserror::Error)]
pub enum GifError {
    #[error(transparent)]
    Picture(#[from] PngError),
    #[error("the picture cannot be written as GIF: {0}")]
    Encoding(#[from] EncodingError),
}

/// A pixel: red, green, blue, five bits each. More is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Colour(u16);

/// Draws SVGs of [`svg`](crate::svg) in turn, each in milliseconds of a processor. The file is below 1 MB: what would be
/// larger is drawn smaller, and if that is not enough, with fewer of the SVGs.
///
/// # Errors
/// See [`GifError`].
pub fn gif(svgs: &[String]) -> Result<Vec<u8>, GifError> {
    let mut every = 1;
    loop {
        // Counted from the last, which tells how it ends.
        let drawn: Vec<&str> = svgs.iter().rev().step_by(every).rev().map(String::as_str).collect();
        for scale in SCALES {
            let out = encoded(&drawn, scale)?;
            if out.len() < TOO_LARGE || drawn.len() < 2 {
                return Ok(out);
            }
        }
        every *= 2;
    }
}

fn encoded(svgs: &[&str], scale: f32) -> Result<Vec<u8>, GifError> {
    let mut out = Vec::new();
    if svgs.is_empty() {
        return Ok(out);
    }
    let mut frames = Vec::new();
    for svg in svgs {
        frames.push(colours(&draw(svg, scale)?));
    }
    let palette = Palette::of(&frames);
    let [width, height] = [WIDTH, HEIGHT].map(|length| scaled(length, scale) as usize);
    let mut encoder = Encoder::new(&mut out, side(width), side(height), &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<Vec<u8>> = None;
    for (n, frame) in frames.iter().enumerate() {
        let pixels: Vec<u8> = frame.iter().map(|colour| palette.index(*colour)).collect();
        let delay = if n + 1 == frames.len() { LAST_SHOWN } else { SHOWN };
        encoder.write_frame(&changed(&pixels, before.as_deref(), width, height, delay))?;
        before = Some(pixels);
    }
    drop(encoder);
    Ok(out)
}

fn side(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

/// The smallest rectangle with everything that differs; a pixel that does not is transparent in it.
fn changed<'f>(pixels: &[u8], before: Option<&[u8]>, width: usize, height: usize, delay: u16) -> Frame<'f> {
    let differs = |at: usize| before.is_none_or(|before| before.get(at) != pixels.get(at));
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for at in (0..pixels.len()).filter(|at| differs(*at)) {
        let (x, y) = (at % width, at / width);
        (left, right, top, bottom) = (left.min(x), right.max(x + 1), top.min(y), bottom.max(y + 1));
    }
    if right <= left {
        // Nothing differs: one pixel, so that it is shown for its time.
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let place = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
    let buffer: Vec<u8> =
        place.map(|at| if differs(at) { pixels.get(at).copied().unwrap_or(SAME) } else { SAME }).collect();
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(SAME),
        left: side(left),
        top: side(top),
        width: side(right - left),
        height: side(bottom - top),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

fn colours(pixels: &Pixmap) -> Vec<Colour> {
    let packed = |parts: [u8; 3]| Colour(parts.into_iter().fold(0, |all, part| (all << 5) | u16::from(part >> 3)));
    pixels.pixels().iter().map(|pixel| packed([pixel.red(), pixel.green(), pixel.blue()])).collect()
}

impl Colour {
    /// Red, green and blue, of five bits each.
    fn parts(self) -> [u8; 3] {
        [10, 5, 0].map(|shift| u8::try_from((self.0 >> shift) & 31).unwrap_or_default())
    }
}

const COLOURS: usize = 1 << 15;

struct Palette {
    colours: Vec<Colour>,
    /// By colour; 0 for those that are nowhere.
    nearest: Vec<u8>,
}

impl Palette {
    fn of(frames: &[Vec<Colour>]) -> Self {
        let mut counts = vec![0_u64; COLOURS];
        for colour in frames.iter().flatten() {
            if let Some(count) = counts.get_mut(usize::from(colour.0)) {
                *count += 1;
            }
        }
        let mut by_count: Vec<(Colour, u64)> =
            (0..).map(Colour).zip(counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
        by_count.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        let colours: Vec<Colour> = by_count.iter().take(usize::from(SAME)).map(|(colour, _)| *colour).collect();
        let nearest = |colour: Colour| {
            let distance = |other: &Colour| -> u32 {
                let both = colour.parts().into_iter().zip(other.parts());
                both.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
            };
            let found = (0..).zip(&colours).min_by_key(|(_, other)| distance(other));
            found.map_or(0, |(index, _)| index)
        };
        let nearest = (0..)
            .map(Colour)
            .zip(&counts)
            .map(|(colour, count)| if *count > 0 { nearest(colour) } else { 0 })
            .collect();
        Self { colours, nearest }
    }

    fn index(&self, colour: Colour) -> u8 {
        self.nearest.get(usize::from(colour.0)).copied().unwrap_or_default()
    }

    /// Three bytes a colour; the last is never seen.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.colours.iter().flat_map(|colour| colour.parts()).map(|part| (part << 3) | (part >> 2)).collect();
        bytes.resize(256 * 3, 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    /// A picture of nothing but a square at a place.
    fn square(x: u32, fill: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\"><rect width=\"1200\" height=\"630\" \
             fill=\"#fff\"/><rect x=\"{x}\" y=\"100\" width=\"40\" height=\"40\" fill=\"{fill}\"/></svg>"
        )
    }

    #[test]
    fn each_frame_is_drawn_over_the_one_before() {
        let drawn = gif(&[square(100, "#a00000"), square(300, "#a00000"), square(300, "#a00000")]).unwrap();
        assert_eq!(drawn, gif(&[square(100, "#a00000"), square(300, "#a00000"), square(300, "#a00000")]).unwrap());
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        let mut decoder = options.read_info(drawn.as_slice()).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (600, 315));
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push((frame.left, frame.top, frame.width, frame.height, frame.delay));
        }
        // The second has both squares, the one that went and the one that came; the third has nothing new.
        assert_eq!(frames, [(0, 0, 600, 315, SHOWN), (50, 50, 120, 20, SHOWN), (0, 0, 1, 1, LAST_SHOWN)]);
        assert_eq!(gif(&[]).unwrap(), []);
    }

    /// A picture that nothing makes small: squares at thousands of places.
    fn noise(seed: u32) -> String {
        let mut number = seed;
        let mut next = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 8) % below
        };
        let squares: String = (0..8_000).map(|_| format!("M{} {}h7v7h-7z", next(1200), next(630))).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\"><rect width=\"1200\" height=\"630\" \
             fill=\"#fff\"/><path d=\"{squares}\"/></svg>"
        )
    }

    #[test]
    fn what_is_too_large_even_when_it_is_smaller_has_fewer_pictures() {
        let svgs: Vec<String> = (0..24).map(noise).collect();
        let all: Vec<&str> = svgs.iter().map(String::as_str).collect();
        let sizes = SCALES.map(|scale| encoded(&all, scale).unwrap().len());
        assert!(sizes.iter().all(|size| *size >= TOO_LARGE), "{sizes:?}");
        let drawn = gif(&svgs).unwrap();
        assert!(drawn.len() < TOO_LARGE, "{}", drawn.len());
        let mut decoder = DecodeOptions::new().read_info(drawn.as_slice()).unwrap();
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(frame.delay);
        }
        assert!((2..24).contains(&delays.len()), "{delays:?}");
        assert_eq!(delays.last(), Some(&LAST_SHOWN));
    }
}
