//! The picture as PNG: the same bytes on every machine, because the font is bundled and the shapes are filled in whole
//! numbers.

use std::sync::{Arc, LazyLock};

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::font::{FAMILY, FILES};
use crate::sheet::{HEIGHT, WIDTH};

/// The reason why there is no PNG; each would be a bug of this crate.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("the picture's SVG does not read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// It cannot be written.
    #[error("the picture cannot be written as PNG: {0}")]
    Encoding(#[from] png::EncodingError),
    #[error("there is no room for a picture of {WIDTH} by {HEIGHT}")]
    Room,
}

/// Only our font: the fonts of a machine must not matter.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for file in FILES {
        fonts.load_font_data(file.to_vec());
    }
    Arc::new(fonts)
});

/// Draws an SVG of [`svg`](crate::svg) as PNG, [`WIDTH`] by [`HEIGHT`]. It takes milliseconds of a processor and a few MB.
///
/// # Errors
/// See [`PngError`].
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    encode(&draw(svg, 1.0)?)
}

/// The pixels of an SVG, at this part of its size.
pub(crate) fn draw(svg: &str, scale: f32) -> Result<Pixmap, PngError> {
    let options = Options { font_family: FAMILY.to_owned(), fontdb: FONTS.clone(), ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let mut pixels = Pixmap::new(scaled(WIDTH, scale), scaled(HEIGHT, scale)).ok_or(PngError::Room)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}

pub(crate) fn scaled(length: i32, scale: f32) -> u32 {
    (length as f32 * scale) as u32
}

/// Without alpha: the paper covers everything.
fn encode(pixels: &Pixmap) -> Result<Vec<u8>, PngError> {
    let colours: Vec<u8> =
        pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colours)?;
    writer.finish()?;
    Ok(out)
}
